//! `cargo xtask docs`: the pages of the book that are made from the code.
//!
//! The options come from the runtime itself, asked with `help=1`, the commands
//! from the help of `racert`, how real programs are built from the recipes that
//! the benchmark follows. With `--check` nothing is written: a page that
//! differs is an error.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::bench;
use crate::paths;
use crate::process::{self, step};

/// Whether to write.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Fail if a page is not what it would become
    #[arg(long)]
    check: bool,
}

/// Makes or compares the pages.
pub(crate) fn main(args: &Args) -> Result<()> {
    let mut stale = Vec::new();
    for (name, text) in [
        ("options.md", options()?),
        ("commands.md", commands()?),
        ("real-programs.md", real_programs()),
    ] {
        let path = paths::root().join("docs").join(name);
        if fs::read_to_string(&path).is_ok_and(|old| old == text) {
            continue;
        }
        if args.check {
            stale.push(name);
        } else {
            step(&format!("writing docs/{name}"));
            fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
        }
    }
    if !stale.is_empty() {
        bail!(
            "docs/{} differs from the code: run `cargo xtask docs`",
            stale.join(" and docs/")
        );
    }
    Ok(())
}

const OPTIONS_HEAD: &str = "\
# Options

Made by `cargo xtask docs` from the runtime's own list.

Options are given to an instrumented program as `RACERT_OPTIONS=\"key=value:key=value\"`, with `racert run -o key=value -- program`, or by the program itself, which may define a function:

```c
const char *__racert_default_options(void) { return \"mode=hb:log_path=races\"; }
```

The environment wins over the function. Of a key given twice the last counts. An unknown key or a bad value ends the program at its start, with status 64 and a line that says what was meant. `TSAN_OPTIONS` is read too, and what has no counterpart there is passed over.

";

/// The table of options.
fn options() -> Result<String> {
    let folder = paths::target().join("docs");
    fs::create_dir_all(&folder)?;
    let source = folder.join("empty.c");
    let program = folder.join("empty");
    fs::write(&source, "int main(void) { return 0; }\n")?;
    process::run(
        Command::new(paths::stage().join("bin/racert-clang"))
            .arg(&source)
            .arg("-o")
            .arg(&program),
    )?;
    let output = Command::new(&program)
        .env("RACERT_OPTIONS", "help=1")
        .output()
        .context("cannot ask for the options")?;
    let help = String::from_utf8_lossy(&output.stderr);
    let mut page = OPTIONS_HEAD.to_owned();
    page.push_str("| option | default | takes | what it does |\n|---|---|---|---|\n");
    for option in read_options(&help)? {
        page.push_str(&option);
    }
    Ok(page)
}

/// What `help=1` prints, as rows of a table: for each option its name, one line
/// that explains it and one that says what it takes.
fn read_options(help: &str) -> Result<Vec<String>> {
    let mut lines = help.lines().skip(2);
    let mut rows = Vec::new();
    while let Some(name) = lines.next() {
        let explained = lines.next().map(str::trim);
        let takes = lines
            .next()
            .and_then(|line| line.trim().strip_prefix("takes "))
            .and_then(|line| line.rsplit_once("; default: "));
        let (Some(explained), Some((takes, default))) = (explained, takes) else {
            bail!("help=1 says something unexpected about{name}");
        };
        rows.push(format!(
            "| `{}` | {} | {takes} | {explained} |\n",
            name.trim(),
            match default {
                "none" => "none".to_owned(),
                value => format!("`{value}`"),
            }
        ));
    }
    Ok(rows)
}

const COMMANDS_HEAD: &str = "\
# Commands

Made by `cargo xtask docs` from the help of `racert`. The same is in the manual pages, `man racert-run` for example.
";

fn commands() -> Result<String> {
    let racert = paths::stage().join("bin/racert");
    let mut page = COMMANDS_HEAD.to_owned();
    let top = help(&racert, &["help"])?;
    section(&mut page, "racert", &top);
    for name in subcommands(&top) {
        let text = help(&racert, &["help", &name])?;
        section(&mut page, &format!("racert {name}"), &text);
    }
    Ok(page)
}

const REAL_PROGRAMS_HEAD: &str = "\
# Real programs

Made by `cargo xtask docs` from the recipes by which `cargo xtask bench --real` and `cargo xtask real` build and run these programs.

Each is a Debian source package, unpacked into a folder of its name and not changed. It is built by its own build system; what racert adds is the compiler, named the way that build system has for it. In the scripts `CC` is `racert-clang`, `CXX` is `racert-clang++`, `CFLAGS` and `CXXFLAGS` are `-g -O2`, all of them exported, `INPUT` is a folder with something to work on, `JOBS` is the number of processors, and `HERE` is `tests/bench/real`, which has programs that put a load on libraries. Switches that turn something off turn off what the measurement does not use, and assembly, which no tool that works on sources can see into.

What racert reports in them is in [FINDINGS.md](../tests/real/FINDINGS.md).
";

/// How each program of the benchmark is built.
fn real_programs() -> String {
    let mut page = REAL_PROGRAMS_HEAD.to_owned();
    for recipe in bench::RECIPES {
        page.push_str(&format!(
            "\n## {}\n\n{}; from the source package{} {}.\n\n```sh norun\n{}\n```\n",
            recipe.name,
            recipe.about,
            if recipe.sources.len() == 1 { "" } else { "s" },
            recipe.sources.join(" and "),
            recipe.build.trim()
        ));
        if let Some(tests) = recipe.tests {
            page.push_str(&format!(
                "\nIts own tests:\n\n```sh norun\n{}\n```\n",
                tests.trim()
            ));
        }
    }
    page
}

fn section(page: &mut String, title: &str, text: &str) {
    page.push_str(&format!(
        "\n## {title}\n\n```text\n{}\n```\n",
        text.trim_end()
    ));
}

fn help(racert: &Path, arguments: &[&str]) -> Result<String> {
    let text = process::output(Command::new(racert).args(arguments))
        .with_context(|| format!("racert {} does not answer", arguments.join(" ")))?;
    let lines = text.lines().map(str::trim_end).collect::<Vec<_>>();
    Ok(lines.join("\n"))
}

/// The names in the list of commands.
fn subcommands(help: &str) -> Vec<String> {
    help.lines()
        .skip_while(|line| !line.starts_with("Commands:"))
        .skip(1)
        .take_while(|line| line.starts_with("  "))
        .filter(|line| !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_become_rows() {
        let help = "RACERT_OPTIONS=...\nOptions:\n  mode\n      how\n      takes hb or hybrid; default: hb\n";
        let rows = read_options(help).unwrap();
        assert_eq!(rows, ["| `mode` | `hb` | hb or hybrid | how |\n"]);
        assert!(read_options("a\nb\n  mode\n").is_err());
    }

    #[test]
    fn subcommands_are_read_from_the_list() {
        let help = "Usage: x\n\nCommands:\n  cc    Compile\n  run   Run\n        and more\n  help  Print\n\nOptions:\n  -h  x\n";
        assert_eq!(subcommands(help), ["cc", "run"]);
    }
}
