//! `--libs`: work inside libraries that were rewritten, beside valgrind's
//! tools, which need no source either.
//!
//! Programs of `tests/bench/libraries` are compiled as they are. Two threads
//! work in them at the same time, so the detectors have all to do.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, ensure};

use super::launch::{End, Launcher};
use super::places::Places;
use super::stats::median;
use super::tool::Tool;
use crate::process;

/// A program and the library it works in.
struct Subject {
    name: &'static str,
    /// For the linker and for `racert run --libs`.
    library: &'static str,
    /// Amount of work: about a tenth of a second.
    amount: &'static str,
}

const SUBJECTS: [Subject; 2] = [
    Subject {
        name: "zlib",
        library: "z",
        amount: "1",
    },
    Subject {
        name: "sqlite",
        library: "sqlite3",
        amount: "20",
    },
];

const TOOLS: [Tool; 4] = [Tool::Native, Tool::Racert, Tool::Helgrind, Tool::Drd];

/// Measures all subjects with all tools and prints a table of CPU time.
pub(super) fn measure(places: &Places, launcher: &Launcher, reps: u32) -> anyhow::Result<()> {
    println!("CPU time in libraries without source, two threads (times native)");
    for subject in SUBJECTS {
        let program = build(places, &subject)?;
        // Rewriting happens once and is kept.
        launcher.run(&command(places, Tool::Racert, &subject, &program), None)?;
        let mut seconds = TOOLS.map(|_| Vec::new());
        for round in 0..reps {
            for (tool, seconds) in TOOLS.into_iter().zip(&mut seconds) {
                if tool.is_valgrind() && (round > 0 || places.missing(tool).is_some()) {
                    continue;
                }
                let command = command(places, tool, &subject, &program);
                let sample = launcher.run(&command, None)?;
                let complaint = || format!("{}: {}", tool.name(), sample.stderr);
                // Helgrind and DRD take sqlite's fences for nothing.
                let fine = sample.end == End::Code(0) || tool.is_valgrind();
                ensure!(fine, complaint());
                seconds.push(sample.cpu.as_secs_f64());
            }
        }
        let native = median(&seconds[0]).context("native runs")?;
        print!("{:<8}", subject.name);
        for (tool, seconds) in TOOLS.into_iter().zip(&seconds) {
            match median(seconds) {
                Some(cpu) => print!("  {} {cpu:.2} s ({:.1} x)", tool.name(), cpu / native),
                None => print!("  {} -", tool.name()),
            }
        }
        println!();
    }
    Ok(())
}

fn build(places: &Places, subject: &Subject) -> anyhow::Result<PathBuf> {
    std::fs::create_dir_all(&places.out)?;
    let program = places.out.join(format!("library-{}", subject.name));
    let source = places.sources.join("libraries").join(subject.name);
    process::run(
        Command::new("cc")
            .args(["-O2", "-pthread"])
            .arg(source.with_extension("c"))
            .arg(format!("-l{}", subject.library))
            .arg("-o")
            .arg(&program),
    )?;
    Ok(program)
}

fn command(places: &Places, tool: Tool, subject: &Subject, program: &Path) -> Vec<String> {
    let racert = places.racert.join("bin/racert");
    let mut command = match tool {
        Tool::Racert => [
            &racert.to_string_lossy(),
            "run",
            "--libs",
            subject.library,
            "--",
        ]
        .map(str::to_owned)
        .to_vec(),
        other => other.prefix(),
    };
    command.push(program.to_string_lossy().into_owned());
    command.push(subject.amount.to_owned());
    command
}
