//! `cargo xtask real`: strangers' programs built and run with racert, by their
//! own tests or under a load, and what it finds in them that is not known yet.
//!
//! What is known lies in `tests/real/NAME.supp`: findings that were looked up
//! in the program's source and are true (`tests/real/FINDINGS.md` says why).

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context as _, bail};
use serde::Deserialize;

use super::measure::{choose, exported};
use super::programs::RECIPES;
use super::recipe::Recipe;
use super::workshop::Workshop;
use crate::bench::build::launcher;
use crate::bench::launch::{End, Launcher, Sample};
use crate::bench::places::Places;
use crate::bench::tool::Tool;
use crate::paths;

/// After this a program is given up.
const TIME_LIMIT: Duration = Duration::from_secs(3600);

/// Which programs, and with what.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Args {
    /// Only these programs (see --list) [default: all]
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// Count what is known as well
    #[arg(long)]
    known: bool,
    /// The measured load, not the program's own tests
    #[arg(long)]
    load: bool,
    /// The racert install tree to use [default: target/racert]
    #[arg(long, value_name = "DIR")]
    racert: Option<PathBuf>,
    /// Show the programs, then stop
    #[arg(long)]
    list: bool,
}

/// What a record of a finding has to say here.
#[derive(Debug, Deserialize)]
struct Record {
    r#type: String,
    #[serde(default)]
    title: String,
    #[serde(default)]
    message: String,
}

/// Builds and runs the programs; an error if one went wrong or something new
/// was found in it.
pub(crate) fn main(args: &Args) -> anyhow::Result<()> {
    if args.list {
        for recipe in RECIPES {
            println!("{:10} {}", recipe.name, recipe.about);
        }
        return Ok(());
    }
    let places = Places::new(args.racert.as_deref());
    if let Some(missing) = places.missing(Tool::Racert) {
        bail!(missing);
    }
    let launcher = Launcher {
        binary: launcher(&places)?,
        result: places
            .out
            .join(format!("launch-{}.result", std::process::id())),
        limit: TIME_LIMIT,
    };
    let mut workshop = Workshop::open(&places)?;
    let mut wrong = 0;
    for recipe in choose(Some(&args.names))? {
        eprintln!("==> building {}", recipe.name);
        let said = workshop
            .build(recipe, Tool::Racert)
            .and_then(|tree| run(args, &workshop, &launcher, recipe, &tree));
        match said {
            Ok(true) => {}
            Ok(false) => wrong += 1,
            Err(error) => {
                println!("{:10} FAILED: {error:#}", recipe.name);
                wrong += 1;
            }
        }
    }
    if wrong > 0 {
        bail!("{wrong} program(s) with failures or new findings");
    }
    Ok(())
}

/// Runs one program and prints what came of it: whether all was well.
fn run(
    args: &Args,
    workshop: &Workshop<'_>,
    launcher: &Launcher,
    recipe: &Recipe,
    tree: &Path,
) -> anyhow::Result<bool> {
    let folder = tree.with_file_name("findings");
    if folder.exists() {
        std::fs::remove_dir_all(&folder).with_context(|| folder.display().to_string())?;
    }
    std::fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    let options = options(args, recipe, &folder);
    let script = |text: &str| {
        let variables = exported(workshop, Tool::Racert, "");
        format!("{variables}export CC CXX CFLAGS CXXFLAGS RACERT_OPTIONS='{options}'\n{text}")
    };
    let tests = recipe.tests.filter(|_| !args.load);
    eprintln!("==> running {}", recipe.name);
    let beside = match recipe.beside.filter(|_| tests.is_none()) {
        Some(text) => Some(start(&script(text), tree)?),
        None => None,
    };
    let command = ["sh", "-euc", &script(tests.unwrap_or(recipe.run))].map(str::to_owned);
    let sample = launcher.run(&command, Some(tree))?;
    if let Some(mut child) = beside {
        let status = child.wait()?;
        if !status.success() {
            bail!("the client failed: {status}");
        }
    }
    let output = folder.join("output");
    std::fs::write(&output, format!("{}{}", sample.stdout, sample.stderr))?;
    let found = findings(&folder)?;
    print(recipe, &sample, &found, &folder);
    if sample.end != End::Code(0) {
        bail!("{}, see {}", sample.end, output.display());
    }
    Ok(found.is_empty())
}

fn options(args: &Args, recipe: &Recipe, folder: &Path) -> String {
    let folder = folder.display();
    let mut options = format!(
        "exitcode=0:log_path={folder}/report:json={folder}/:print_suppressions=0:\
         report_thread_leaks=0"
    );
    let known = paths::root().join(format!("tests/real/{}.supp", recipe.name));
    if !args.known && known.exists() {
        options += &format!(":suppressions={}", known.display());
    }
    options
}

fn start(script: &str, tree: &Path) -> anyhow::Result<Child> {
    Command::new("sh")
        .args(["-euc", script])
        .current_dir(tree)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .context("cannot run sh")
}

/// The findings recorded in `folder`, each once.
fn findings(folder: &Path) -> anyhow::Result<Vec<Record>> {
    let mut found: Vec<Record> = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_none_or(|e| e != "json") {
            continue;
        }
        for line in std::fs::read_to_string(&path)?.lines() {
            let record: Record =
                serde_json::from_str(line).with_context(|| path.display().to_string())?;
            let known = found.iter().any(|other| other.message == record.message);
            if record.r#type == "finding" && !known {
                found.push(record);
            }
        }
    }
    Ok(found)
}

fn print(recipe: &Recipe, sample: &Sample, found: &[Record], folder: &Path) {
    println!(
        "{:10} {}, {:.1} s of CPU time, {} MB, {} new finding(s)",
        recipe.name,
        sample.end,
        sample.cpu.as_secs_f64(),
        sample.rss >> 20,
        found.len(),
    );
    for record in found {
        println!("  {}: {}", record.title, record.message);
    }
    if !found.is_empty() {
        println!("  reports: {}", folder.display());
    }
}
