//! The course of a run: choose, build, measure, judge, write.

use std::process::Command;
use std::time::Duration;

use anyhow::{Context as _, bail};

use super::args::Args;
use super::build::{Program, build, launcher};
use super::kernels::{KERNELS, Kernel};
use super::launch::Launcher;
use super::places::{CLANG, Places};
use super::progress::Progress;
use super::results::{Failure, Report};
use super::series::{Subject, Variant, measure};
use super::tool::Tool;
use super::{
    canary, html, hybrid, libraries, lock_order, loops, micro, readme, real, table, verdict,
};

/// The share of the work that valgrind's tools get.
const VALGRIND_PERCENT: u32 = 10;
/// The share of the work of a quick run.
const QUICK_PERCENT: u32 = 20;
/// Repetitions of the micro figures: they are short and noisy.
const MICRO_REPS: u32 = 15;
/// After this a run is given up.
const TIME_LIMIT: Duration = Duration::from_secs(900);

/// Runs the comparison; an error if something could not be measured.
pub(crate) fn main(args: Args) -> anyhow::Result<()> {
    if args.list {
        list();
        return Ok(());
    }
    let places = Places::new(args.racert.as_deref());
    let tools = choose_tools(&args, &places)?;
    let kernels = choose_kernels(&args)?;
    let programs = real::choose(args.real.as_deref())?;
    let launcher = Launcher {
        binary: launcher(&places)?,
        result: places
            .out
            .join(format!("launch-{}.result", std::process::id())),
        limit: TIME_LIMIT,
    };
    if args.libs {
        return libraries::measure(&places, &launcher, args.reps);
    }
    let reps = if args.quick {
        args.reps.min(3)
    } else {
        args.reps
    };
    let percent = if args.quick { QUICK_PERCENT } else { 100 };
    if let Some(files) = &args.loops {
        let cost = loops::Cost {
            places: &places,
            launcher: &launcher,
            opt: &args.opt,
            percent,
            reps,
        };
        return cost.print(&kernels, files);
    }
    if args.hybrid {
        return hybrid::print(&places, &launcher, &kernels, &args.opt, percent, reps);
    }
    if args.lock_order {
        return lock_order::print(&places, &launcher, &args.opt, reps);
    }
    let mut report = Report {
        opt: args.opt.clone(),
        compiler: compiler_version(),
        processors: std::thread::available_parallelism().map_or(1, Into::into),
        reps,
        tools: tools.clone(),
        kernels: Vec::new(),
        micro: Vec::new(),
        real: Vec::new(),
        verdicts: Vec::new(),
        failures: Vec::new(),
    };
    report.failures = canary::check(&places, &launcher, &tools, &args.opt);
    measure_kernels(&args, &places, &launcher, &kernels, &mut report);
    if !args.no_kernels && args.kernel.is_empty() {
        let micro_reps = if args.quick { reps } else { MICRO_REPS };
        let mut progress = Progress::new(tools.len() * micro_reps as usize * 6);
        report.micro = micro::measure(
            &places,
            &launcher,
            &tools,
            &args.opt,
            micro_reps,
            &mut progress,
            &mut report.failures,
        );
    }
    // Minutes a program under valgrind: only when asked for.
    let real_tools: Vec<Tool> = tools
        .iter()
        .copied()
        .filter(|tool| !tool.is_valgrind() || args.tools.contains(tool))
        .collect();
    real::measure(&places, &launcher, &programs, &real_tools, &mut report)?;
    report.verdicts = verdict::judge(&report);
    let _ = std::fs::remove_file(&launcher.result);

    print!("{}", table::render(&report));
    if let Some(path) = &args.json {
        let text = serde_json::to_string_pretty(&report)?;
        std::fs::write(path, text + "\n").with_context(|| path.display().to_string())?;
    }
    if args.readme {
        readme::write(&report)?;
    }
    if let Some(path) = &args.html {
        std::fs::write(path, html::page(&report)).with_context(|| path.display().to_string())?;
    }
    match report.failures.len() {
        0 => Ok(()),
        count => bail!("{count} measurement(s) failed, see FAILED above"),
    }
}

fn list() {
    println!("Kernels:");
    for kernel in KERNELS {
        println!("  {:<18} {}", kernel.name, kernel.about);
    }
    println!("Real programs:");
    for recipe in real::RECIPES {
        println!("  {:<18} {}", recipe.name, recipe.about);
    }
}

/// The tools asked for, or all that are here; native always comes first.
fn choose_tools(args: &Args, places: &Places) -> anyhow::Result<Vec<Tool>> {
    let mut tools = vec![Tool::Native];
    for tool in Tool::ALL {
        let asked = args.tools.contains(&tool);
        let wanted = if args.tools.is_empty() {
            !(args.quick && tool.is_valgrind())
        } else {
            asked
        };
        if !wanted && tool != Tool::Native {
            continue;
        }
        match places.missing(tool) {
            None if tool != Tool::Native => tools.push(tool),
            None => {}
            Some(why) if asked || tool == Tool::Native => bail!("{}: {why}", tool.name()),
            Some(why) => eprintln!("leaving out {}: {why}", tool.name()),
        }
    }
    Ok(tools)
}

fn choose_kernels(args: &Args) -> anyhow::Result<Vec<&'static Kernel>> {
    if args.no_kernels {
        return Ok(Vec::new());
    }
    if args.kernel.is_empty() {
        return Ok(KERNELS.iter().collect());
    }
    args.kernel
        .iter()
        .map(|name| {
            Kernel::find(name).with_context(|| format!("no kernel {name:?} (--list shows them)"))
        })
        .collect()
}

fn measure_kernels(
    args: &Args,
    places: &Places,
    launcher: &Launcher,
    kernels: &[&Kernel],
    report: &mut Report,
) {
    let tools = report.tools.clone();
    let mut progress = Progress::new(kernels.len() * tools.len());
    let subjects: Vec<Subject> = kernels
        .iter()
        .map(|kernel| {
            let percent = if args.quick { QUICK_PERCENT } else { 100 };
            let mut variants = Vec::new();
            for &tool in &tools {
                progress.step(&format!("building {} {}", kernel.name, tool.name()));
                match variants_of(places, kernel, tool, &args.opt, percent, report.reps) {
                    Ok(more) => {
                        let known = |one: &Variant, all: &[Variant]| {
                            all.iter().any(|other| other.command == one.command)
                        };
                        for variant in more {
                            if !known(&variant, &variants) {
                                variants.push(variant);
                            }
                        }
                    }
                    Err(error) => report.failures.push(Failure {
                        subject: kernel.name.to_owned(),
                        tool,
                        reason: format!("{error:#}"),
                    }),
                }
            }
            Subject {
                name: kernel.name.to_owned(),
                about: kernel.about.to_owned(),
                race_free: true,
                variants,
            }
        })
        .collect();
    drop(progress);
    let total = subjects
        .iter()
        .flat_map(|s| &s.variants)
        .map(|v| v.reps as usize)
        .sum();
    let mut progress = Progress::new(total);
    for subject in &subjects {
        report.kernels.push(measure(
            launcher,
            subject,
            &mut progress,
            &mut report.failures,
        ));
    }
}

/// How to run `kernel` under `tool`: for valgrind's tools with the native run
/// of the same share of the work that they are compared with.
fn variants_of(
    places: &Places,
    kernel: &Kernel,
    tool: Tool,
    opt: &str,
    percent: u32,
    reps: u32,
) -> anyhow::Result<Vec<Variant>> {
    let program = Program::of(kernel, places);
    let binary = build(places, &program, tool, opt)?.display().to_string();
    let variant = |tool: Tool, percent: u32, reps: u32| {
        let mut command = tool.prefix();
        command.extend([binary.clone(), percent.to_string()]);
        Variant {
            tool,
            percent,
            reps,
            command,
            folder: None,
            beside: None,
        }
    };
    if tool.is_valgrind() {
        let percent = percent.min(VALGRIND_PERCENT);
        Ok(vec![
            variant(Tool::Native, percent, reps),
            variant(tool, percent, 1),
        ])
    } else {
        Ok(vec![variant(tool, percent, reps)])
    }
}

fn compiler_version() -> String {
    Command::new(CLANG)
        .arg("--version")
        .output()
        .ok()
        .and_then(|output| String::from_utf8(output.stdout).ok())
        .and_then(|text| text.lines().next().map(str::to_owned))
        .unwrap_or_else(|| CLANG.to_owned())
}
