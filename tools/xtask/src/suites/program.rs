//! Running a program to its end, or to its time limit.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context as _;

/// The most a program may write to a file, in units of 1024 bytes.
const OUTPUT_LIMIT: u32 = 16 * 1024;

/// How a program ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Ended {
    /// With this exit status.
    Code(i32),
    /// By this signal.
    Signal(i32),
    /// It did not.
    TimedOut,
    /// It never ran.
    NotBuilt(String),
}

impl Ended {
    /// From a status as a shell says it; 124 is what `timeout` makes of a
    /// program it had to stop.
    pub(super) fn from_shell(status: i32) -> Self {
        match status {
            124 | 137 => Ended::TimedOut,
            129..=192 => Ended::Signal(status - 128),
            code => Ended::Code(code),
        }
    }

    /// What is wrong with ending like that, whatever was expected.
    pub(super) fn trouble(&self) -> Option<String> {
        match self {
            Ended::Code(_) => None,
            Ended::Signal(signal) => Some(format!("killed by signal {signal}")),
            Ended::TimedOut => Some("does not end".to_owned()),
            Ended::NotBuilt(why) => Some(format!("does not build: {why}")),
        }
    }
}

/// What a shell command did.
#[derive(Debug)]
pub(super) struct Outcome {
    /// Its exit status.
    pub(super) status: i32,
    /// What it printed on either stream.
    pub(super) output: String,
}

/// Runs `script` with bash in `folder`; helper programs are found in `helpers`
/// first. Output goes through a file, so that a program left behind by the
/// script keeps nobody waiting.
pub(super) fn shell(
    script: &str,
    folder: &Path,
    helpers: &Path,
    variables: &[(&str, String)],
) -> anyhow::Result<Outcome> {
    let log = folder.join("shell.log");
    let file = std::fs::File::create(&log).with_context(|| log.display().to_string())?;
    let mut path = helpers.as_os_str().to_owned();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    let status = Command::new("bash")
        .arg("-c")
        .arg(format!(
            "ulimit -f {OUTPUT_LIMIT}; set -o pipefail; {script}"
        ))
        .current_dir(folder)
        .env("PATH", path)
        .envs(variables.iter().map(|(key, value)| (key, value)))
        .stdin(std::process::Stdio::null())
        .stdout(file.try_clone()?)
        .stderr(file)
        .status()
        .context("cannot run bash")?;
    Ok(Outcome {
        status: status.code().unwrap_or(-1),
        output: read_lossy(&log),
    })
}

/// The text of a file, as far as it is text.
pub(super) fn read_lossy(path: &Path) -> String {
    String::from_utf8_lossy(&std::fs::read(path).unwrap_or_default()).into_owned()
}

/// Writes an executable shell script.
pub(super) fn write_helper(folder: &Path, name: &str, text: &str) -> anyhow::Result<PathBuf> {
    use std::os::unix::fs::PermissionsExt as _;
    let path = folder.join(name);
    std::fs::write(&path, format!("#!/bin/bash\n{text}\n"))?;
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755))?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statuses_of_a_shell() {
        assert_eq!(Ended::from_shell(66), Ended::Code(66));
        assert_eq!(Ended::from_shell(139), Ended::Signal(11));
        assert_eq!(Ended::from_shell(124), Ended::TimedOut);
    }
}
