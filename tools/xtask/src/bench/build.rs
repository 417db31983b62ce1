//! Builds one program for one tool, unless what is there is newer than
//! everything it was made from.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use anyhow::{Context as _, bail};

use super::kernels::Kernel;
use super::places::{CLANG, CLANGXX, Places};
use super::tool::Tool;

/// A program to build from one source file.
#[derive(Debug, Clone)]
pub(super) struct Program {
    /// The name of the binary.
    pub(super) name: String,
    /// Its source file.
    pub(super) source: PathBuf,
    /// Whether it is C++.
    pub(super) cpp: bool,
}

impl Program {
    /// The program of a kernel.
    pub(super) fn of(kernel: &Kernel, places: &Places) -> Program {
        Program {
            name: kernel.name.to_owned(),
            source: kernel.source(&places.sources),
            cpp: kernel.cpp,
        }
    }
}

/// Builds `program` for `tool` and returns the binary.
pub(super) fn build(
    places: &Places,
    program: &Program,
    tool: Tool,
    opt: &str,
) -> anyhow::Result<PathBuf> {
    let folder = places.out.join(opt).join(if tool.is_valgrind() {
        "dwarf4"
    } else {
        tool.name()
    });
    std::fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    let binary = folder.join(&program.name);
    let mut inputs = vec![program.source.clone(), places.sources.join("bench.h")];
    if tool == Tool::Racert {
        inputs.extend([places.plugin(), places.racert.join("lib/libracert.a")]);
    }
    if is_current(&binary, &inputs) {
        return Ok(binary);
    }
    let mut command = compiler(places, program.cpp, tool);
    command.args(["-g", &format!("-{opt}")]);
    if program.cpp {
        command.arg("-std=c++20");
    }
    command
        .arg(&program.source)
        .arg("-o")
        .arg(&binary)
        .args(["-pthread", "-lm"]);
    if tool == Tool::Racert && !places.wrapper(program.cpp).exists() {
        command
            .arg("-L")
            .arg(places.racert.join("lib"))
            .arg("-lracert");
    }
    let output = command
        .output()
        .with_context(|| format!("cannot run {command:?}"))?;
    if !output.status.success() {
        bail!(
            "{command:?} failed:\n{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
    Ok(binary)
}

/// The compiler as `tool` wants it, without the program's own flags.
pub(super) fn compiler(places: &Places, cpp: bool, tool: Tool) -> Command {
    let clang = if cpp { CLANGXX } else { CLANG };
    let mut command = Command::new(clang);
    match tool {
        Tool::Native => {}
        Tool::Tsan => {
            command.arg("-fsanitize=thread");
        }
        Tool::Racert => {
            let wrapper = places.wrapper(cpp);
            if wrapper.exists() {
                command = Command::new(wrapper);
                command.env("RACERT_CC", CLANG).env("RACERT_CXX", CLANGXX);
            } else {
                command.arg(format!("-fpass-plugin={}", places.plugin().display()));
            }
        }
        Tool::Helgrind | Tool::Drd => {
            command.arg("-gdwarf-4");
        }
    }
    command
}

/// Builds the launcher all measurements go through.
pub(super) fn launcher(places: &Places) -> anyhow::Result<PathBuf> {
    std::fs::create_dir_all(&places.out).with_context(|| places.out.display().to_string())?;
    let source = places.sources.join("launch.c");
    let binary = places.out.join("launch");
    if !is_current(&binary, std::slice::from_ref(&source)) {
        let mut command = Command::new(CLANG);
        command
            .args(["-O2", "-static"])
            .arg(source)
            .arg("-o")
            .arg(&binary);
        let status = command
            .status()
            .with_context(|| format!("cannot run {CLANG}"))?;
        if !status.success() {
            bail!("{command:?} failed");
        }
    }
    Ok(binary)
}

fn is_current(binary: &Path, inputs: &[PathBuf]) -> bool {
    let Some(built) = modified(binary) else {
        return false;
    };
    inputs
        .iter()
        .filter_map(|input| modified(input))
        .all(|changed| changed < built)
}

fn modified(path: &Path) -> Option<SystemTime> {
    path.metadata()
        .and_then(|metadata| metadata.modified())
        .ok()
}
