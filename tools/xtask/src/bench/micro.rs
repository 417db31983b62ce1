//! What single things cost: starting up, a lock, a thread.

use std::path::PathBuf;

use super::build::{Program, build};
use super::launch::{End, Launcher, Sample};
use super::places::Places;
use super::progress::Progress;
use super::results::{Failure, Micro};
use super::stats::median;
use super::tool::Tool;

/// Lock and unlock pairs: enough to drown the start-up in the difference.
const LOCKS: u64 = 2_000_000;
/// The same for valgrind's tools, which need a microsecond and more each.
const LOCKS_VALGRIND: u64 = 200_000;
/// Live threads whose memory is measured together.
const THREADS: u64 = 64;

/// Median cost of one program: CPU seconds and peak bytes.
#[derive(Debug, Clone, Copy)]
struct Cost {
    seconds: f64,
    bytes: f64,
}

/// A program of `tests/bench/micro/` with its argument.
type Case = (&'static str, Option<u64>);

/// Measures every tool, the repetitions of all of them in turn.
pub(super) fn measure(
    places: &Places,
    launcher: &Launcher,
    tools: &[Tool],
    opt: &str,
    reps: u32,
    progress: &mut Progress,
    failures: &mut Vec<Failure>,
) -> Vec<Micro> {
    let mut samples: Vec<Vec<Vec<Sample>>> = tools
        .iter()
        .map(|&tool| vec![Vec::new(); cases(tool).len()])
        .collect();
    let mut broken = vec![false; tools.len()];
    for rep in 0..reps {
        for (index, &tool) in tools.iter().enumerate() {
            if broken[index] || (tool.is_valgrind() && rep > 0) {
                continue;
            }
            for (case, &(program, argument)) in cases(tool).iter().enumerate() {
                progress.step(&format!("{program} {}", tool.name()));
                match run(places, launcher, tool, opt, program, argument) {
                    Ok(sample) => samples[index][case].push(sample),
                    Err(error) => {
                        broken[index] = true;
                        let reason = format!("{error:#}");
                        failures.push(Failure {
                            subject: program.to_owned(),
                            tool,
                            reason,
                        });
                        break;
                    }
                }
            }
        }
    }
    tools
        .iter()
        .zip(&samples)
        .zip(&broken)
        .filter(|(_, broken)| !**broken)
        .map(|((&tool, samples), _)| condense(tool, samples))
        .collect()
}

/// The runs behind one [`Micro`], in the order [`condense`] reads them.
fn cases(tool: Tool) -> [Case; 6] {
    [
        ("hello", None),
        ("hello_thread", None),
        ("lock_unlock", Some(0)),
        ("lock_unlock", Some(locks(tool))),
        ("threads_alive", Some(0)),
        ("threads_alive", Some(THREADS)),
    ]
}

fn locks(tool: Tool) -> u64 {
    if tool.is_valgrind() {
        LOCKS_VALGRIND
    } else {
        LOCKS
    }
}

fn run(
    places: &Places,
    launcher: &Launcher,
    tool: Tool,
    opt: &str,
    program: &str,
    argument: Option<u64>,
) -> anyhow::Result<Sample> {
    let source = places.sources.join("micro").join(format!("{program}.c"));
    let binary: PathBuf = build(
        places,
        &Program {
            name: program.to_owned(),
            source,
            cpp: false,
        },
        tool,
        opt,
    )?;
    let mut command = tool.prefix();
    command.push(binary.display().to_string());
    command.extend(argument.map(|argument| argument.to_string()));
    let sample = launcher.run(&command, None)?;
    anyhow::ensure!(
        sample.end == End::Code(0) && sample.stdout.starts_with("checksum"),
        "{}: {}",
        sample.end,
        sample.stderr
    );
    Ok(sample)
}

fn condense(tool: Tool, samples: &[Vec<Sample>]) -> Micro {
    let cost = |case: usize| {
        let seconds: Vec<f64> = samples[case].iter().map(|s| s.cpu.as_secs_f64()).collect();
        let bytes: Vec<f64> = samples[case].iter().map(|s| s.rss as f64).collect();
        Cost {
            seconds: median(&seconds).unwrap_or(f64::NAN),
            bytes: median(&bytes).unwrap_or(f64::NAN),
        }
    };
    let (hello, hello_thread) = (cost(0), cost(1));
    let lock_seconds = cost(3).seconds - cost(2).seconds;
    let thread_bytes = cost(5).bytes - cost(4).bytes;
    Micro {
        tool,
        hello_seconds: hello.seconds,
        hello_rss_bytes: hello.bytes,
        hello_thread_seconds: hello_thread.seconds,
        hello_thread_rss_bytes: hello_thread.bytes,
        lock_unlock_nanoseconds: lock_seconds * 1e9 / locks(tool) as f64,
        thread_bytes: thread_bytes / THREADS as f64,
    }
}
