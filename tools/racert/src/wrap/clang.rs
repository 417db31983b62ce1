//! Finding a clang whose LLVM a plugin was built for.

use std::env;
use std::ffi::{OsStr, OsString};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error::{self, Error, Result};
use crate::layout::{LLVM_VERSIONS, Layout};

/// Which of the two drivers is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Driver {
    /// `clang`.
    C,
    /// `clang++`.
    Cxx,
}

impl Driver {
    /// The driver a program name such as `racert-clang++` stands for.
    pub(crate) fn from_program_name(name: &str) -> Option<Self> {
        match name {
            "racert-clang" | "racert-cc" => Some(Driver::C),
            "racert-clang++" | "racert-c++" => Some(Driver::Cxx),
            _ => None,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Driver::C => "clang",
            Driver::Cxx => "clang++",
        }
    }

    fn variable(self) -> &'static str {
        match self {
            Driver::C => "RACERT_CC",
            Driver::Cxx => "RACERT_CXX",
        }
    }
}

/// A compiler and the plugin that fits it.
#[derive(Debug)]
pub(crate) struct Clang {
    /// The program, and what comes before the arguments (`ccache clang`).
    pub(crate) command: Vec<OsString>,
    /// Major version of its LLVM.
    pub(crate) version: u32,
    /// The plugin to load into it.
    pub(crate) plugin: PathBuf,
}

/// Finds the compiler: the one `RACERT_CC` or `RACERT_CXX` names, else the
/// first of clang-22, clang-19, clang-18 and clang that a plugin exists for.
pub(crate) fn find(driver: Driver, layout: &Layout) -> Result<Clang> {
    let plugins = layout.plugin_versions();
    if plugins.is_empty() {
        return Err(Error::new(
            error::UNUSABLE,
            format!("no libracert_pass-*.so in {}", layout.lib().display()),
        )
        .hint("run `cargo xtask build`"));
    }
    if let Some(named) = env::var_os(driver.variable()).filter(|named| !named.is_empty()) {
        return from_variable(driver, &named, layout);
    }
    let mut refused = Vec::new();
    for name in candidates(driver, &plugins) {
        let Some(path) = search_path(OsStr::new(&name)) else {
            continue;
        };
        match major_version(&[path.clone().into_os_string()]) {
            Some(version) if plugins.contains(&version) => {
                let plugin = layout.plugin(version);
                return Ok(Clang {
                    command: vec![path.into()],
                    version,
                    plugin,
                });
            }
            Some(version) => refused.push(format!("{} is LLVM {version}", path.display())),
            None => refused.push(format!("{} did not tell its version", path.display())),
        }
    }
    let wanted = plugins
        .iter()
        .map(|v| format!("{}-{v}", driver.name()))
        .collect::<Vec<_>>();
    let mut message = format!("found no {} in PATH", wanted.join(" or "));
    if !refused.is_empty() {
        message = format!("{message} ({})", refused.join(", "));
    }
    Err(Error::new(error::NOT_FOUND, message).hint(format!(
        "install it (apt-get install clang-{}) or set {}",
        plugins[0],
        driver.variable()
    )))
}

fn candidates(driver: Driver, plugins: &[u32]) -> Vec<String> {
    let mut names: Vec<_> = plugins
        .iter()
        .map(|v| format!("{}-{v}", driver.name()))
        .collect();
    names.push(driver.name().to_owned());
    names
}

fn from_variable(driver: Driver, named: &OsStr, layout: &Layout) -> Result<Clang> {
    let variable = driver.variable();
    let command = split_command(named);
    if search_path(&command[0]).is_none() {
        return Err(Error::new(
            error::NOT_FOUND,
            format!("{variable}={}: no such program", named.to_string_lossy()),
        )
        .hint(format!("correct or unset {variable}")));
    }
    let Some(version) = major_version(&command) else {
        return Err(Error::new(
            error::UNUSABLE,
            format!(
                "{variable}={} does not answer -dumpversion",
                named.to_string_lossy()
            ),
        )
        .hint("name a clang"));
    };
    let plugin = layout.plugin(version);
    if !plugin.is_file() {
        let have = layout
            .plugin_versions()
            .iter()
            .map(u32::to_string)
            .collect::<Vec<_>>();
        return Err(Error::new(
            error::UNUSABLE,
            format!(
                "{variable}={} is version {version}, but the plugins here are for clang {}",
                named.to_string_lossy(),
                have.join(" and ")
            ),
        )
        .hint(format!("name one of those, or unset {variable}")));
    }
    Ok(Clang {
        command,
        version,
        plugin,
    })
}

/// A value with blanks is a command with arguments, unless it is a file.
fn split_command(value: &OsStr) -> Vec<OsString> {
    match value.to_str() {
        Some(text) if text.contains(' ') && !Path::new(value).exists() => {
            text.split_ascii_whitespace().map(OsString::from).collect()
        }
        _ => vec![value.to_owned()],
    }
}

/// The program `name` stands for, as a shell would find it.
pub(crate) fn search_path(name: &OsStr) -> Option<PathBuf> {
    let is_program = |path: &Path| {
        path.metadata()
            .is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0)
    };
    if name.as_encoded_bytes().contains(&b'/') {
        return Some(PathBuf::from(name)).filter(|path| is_program(path));
    }
    env::split_paths(&env::var_os("PATH")?)
        .map(|dir| dir.join(name))
        .find(|path| is_program(path))
}

/// The major version of a clang, from its place when that tells (which saves
/// starting it), else from itself.
pub(crate) fn major_version(command: &[OsString]) -> Option<u32> {
    if let [program] = command
        && let Some(version) = version_in_place(Path::new(program))
    {
        return Some(version);
    }
    let (program, arguments) = command.split_first()?;
    let output = Command::new(program)
        .args(arguments)
        .arg("-dumpversion")
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    text.trim().split('.').next()?.parse().ok()
}

/// Distributions keep each LLVM in a folder of its own, `/usr/lib/llvm-22`.
fn version_in_place(program: &Path) -> Option<u32> {
    let program = search_path(program.as_os_str())?.canonicalize().ok()?;
    let is_clang = program.file_name()?.to_str()?.starts_with("clang");
    let folder = program.parent()?.parent()?.file_name()?.to_str()?;
    let version = folder.strip_prefix("llvm-")?.parse().ok()?;
    (is_clang && LLVM_VERSIONS.contains(&version)).then_some(version)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn program_names_choose_the_driver() {
        assert_eq!(Driver::from_program_name("racert-clang"), Some(Driver::C));
        assert_eq!(
            Driver::from_program_name("racert-clang++"),
            Some(Driver::Cxx)
        );
        assert_eq!(Driver::from_program_name("racert"), None);
    }

    #[test]
    fn the_newest_plugin_is_tried_first() {
        assert_eq!(
            candidates(Driver::Cxx, &[22, 19]),
            ["clang++-22", "clang++-19", "clang++"]
        );
    }

    #[test]
    fn a_launcher_may_stand_before_the_compiler() {
        assert_eq!(
            split_command(OsStr::new("ccache clang-22")),
            ["ccache", "clang-22"]
        );
        assert_eq!(split_command(OsStr::new("/bin/sh")), ["/bin/sh"]);
    }
}
