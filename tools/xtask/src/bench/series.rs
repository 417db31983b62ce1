//! Runs one program under several tools in turn and condenses the samples.

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use super::launch::{End, Launcher, Sample};
use super::progress::Progress;
use super::results::{Cell, Failure, Row};
use super::stats::{median, spread};
use super::tool::Tool;

/// The exit code by which every tool says that it reported something.
pub(super) const REPORTED: i32 = 66;

/// One program and the ways to run it.
#[derive(Debug, Clone)]
pub(super) struct Subject {
    /// Its name.
    pub(super) name: String,
    /// What it exercises.
    pub(super) about: String,
    /// Whether a report is a mistake of the tool: the program is race-free.
    pub(super) race_free: bool,
    /// The runs to compare; a native one for every share of work.
    pub(super) variants: Vec<Variant>,
}

/// One way to run a program.
#[derive(Debug, Clone)]
pub(super) struct Variant {
    /// The tool.
    pub(super) tool: Tool,
    /// The share of the full work.
    pub(super) percent: u32,
    /// How often.
    pub(super) reps: u32,
    /// The program and its arguments.
    pub(super) command: Vec<String>,
    /// The folder to run it in.
    pub(super) folder: Option<PathBuf>,
    /// A shell command that runs beside it, unmeasured, until it ends itself.
    pub(super) beside: Option<String>,
}

/// Runs every variant of `subject`, first repetition of all, then the second,
/// and so on. What went wrong goes to `failures`.
pub(super) fn measure(
    launcher: &Launcher,
    subject: &Subject,
    progress: &mut Progress,
    failures: &mut Vec<Failure>,
) -> Row {
    let mut samples: Vec<Vec<Sample>> = vec![Vec::new(); subject.variants.len()];
    let mut broken = vec![false; subject.variants.len()];
    let most = subject
        .variants
        .iter()
        .map(|variant| variant.reps)
        .max()
        .unwrap_or(0);
    for rep in 0..most {
        for (index, variant) in subject.variants.iter().enumerate() {
            if rep >= variant.reps || broken[index] {
                continue;
            }
            progress.step(&format!(
                "{} {} {}/{}",
                subject.name,
                variant.tool.name(),
                rep + 1,
                variant.reps
            ));
            match run_once(launcher, subject, variant) {
                Ok(sample) => samples[index].push(sample),
                Err(reason) => {
                    broken[index] = true;
                    failures.push(failure(subject, variant, reason));
                }
            }
        }
    }
    let mut cells = Vec::new();
    for (index, variant) in subject.variants.iter().enumerate() {
        let baseline = subject
            .variants
            .iter()
            .position(|other| other.tool == Tool::Native && other.percent == variant.percent)
            .filter(|&baseline| !broken[baseline]);
        let superseded = cells.iter().any(|cell: &Cell| cell.tool == variant.tool);
        let Some(baseline) = baseline.filter(|_| !broken[index] && !superseded) else {
            continue;
        };
        let (ours, native) = (&samples[index], &samples[baseline]);
        let expected = &native[0].stdout;
        if let Some(other) = ours.iter().find(|sample| sample.stdout != *expected) {
            let reason = format!("printed {:?}, native {expected:?}", other.stdout);
            failures.push(failure(subject, variant, reason));
            continue;
        }
        cells.push(condense(variant, ours, native));
    }
    cells.sort_by_key(|cell| cell.tool);
    Row {
        name: subject.name.clone(),
        about: subject.about.clone(),
        cells,
    }
}

fn failure(subject: &Subject, variant: &Variant, reason: String) -> Failure {
    Failure {
        subject: subject.name.clone(),
        tool: variant.tool,
        reason,
    }
}

fn run_once(launcher: &Launcher, subject: &Subject, variant: &Variant) -> Result<Sample, String> {
    let beside = variant
        .beside
        .as_ref()
        .map(|script| start_beside(script, variant))
        .transpose()?;
    let sample = launcher
        .run(&variant.command, variant.folder.as_deref())
        .map_err(|error| format!("{error:#}"));
    if let Some(mut child) = beside {
        let status = child.wait().map_err(|error| error.to_string())?;
        if !status.success() {
            return Err(format!("the command beside it failed: {status}"));
        }
    }
    let sample = sample?;
    let may_report = variant.tool.is_valgrind() || !subject.race_free;
    match sample.end {
        End::Code(0) if subject.race_free && !variant.tool.is_valgrind() => {
            if sample.stderr.is_empty() {
                Ok(sample)
            } else {
                Err(excerpt(&sample))
            }
        }
        End::Code(0) => Ok(sample),
        End::Code(REPORTED) if may_report => Ok(sample),
        _ => Err(excerpt(&sample)),
    }
}

fn start_beside(script: &str, variant: &Variant) -> Result<Child, String> {
    let mut command = Command::new("sh");
    command
        .args(["-euc", script])
        .stdin(Stdio::null())
        .stdout(Stdio::null());
    if let Some(folder) = &variant.folder {
        command.current_dir(folder);
    }
    command
        .spawn()
        .map_err(|error| format!("cannot run sh: {error}"))
}

/// How a run ended and the first lines it complained with.
fn excerpt(sample: &Sample) -> String {
    let lines: Vec<&str> = sample
        .stderr
        .lines()
        .filter(|line| !line.trim().is_empty())
        .take(12)
        .collect();
    format!("{}: {}", sample.end, lines.join("\n    "))
}

fn reported(sample: &Sample) -> bool {
    sample.end == End::Code(REPORTED)
        || sample.stderr.contains("WARNING: racert:")
        || sample.stderr.contains("WARNING: ThreadSanitizer:")
}

fn condense(variant: &Variant, ours: &[Sample], native: &[Sample]) -> Cell {
    let seconds = |samples: &[Sample]| -> Vec<f64> {
        samples
            .iter()
            .map(|sample| sample.cpu.as_secs_f64())
            .collect()
    };
    let memory = |samples: &[Sample]| -> Vec<f64> {
        samples.iter().map(|sample| sample.rss as f64).collect()
    };
    let wall: Vec<f64> = ours
        .iter()
        .map(|sample| sample.wall.as_secs_f64())
        .collect();
    let middle = |values: &[f64]| median(values).unwrap_or(f64::NAN);
    let cpu_seconds = middle(&seconds(ours));
    let rss_bytes = middle(&memory(ours));
    Cell {
        tool: variant.tool,
        percent: variant.percent,
        reps: ours.len(),
        cpu_seconds,
        cpu_spread: spread(&seconds(ours)),
        wall_seconds: middle(&wall),
        rss_bytes,
        slowdown: cpu_seconds / middle(&seconds(native)),
        growth: rss_bytes / middle(&memory(native)),
        reports: ours.iter().any(reported),
    }
}
