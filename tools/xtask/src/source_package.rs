//! Debian source packages without touching the machine's configuration: the
//! system's package sources, turned into `deb-src`, with lists and downloads
//! in a folder of their own.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, bail, ensure};

/// Downloads and unpacks source packages.
#[derive(Debug)]
pub(crate) struct Sources {
    folder: PathBuf,
    updated: bool,
}

impl Sources {
    /// Sources kept in `folder`.
    pub(crate) fn new(folder: PathBuf) -> Self {
        Self {
            folder,
            updated: false,
        }
    }

    /// The original tarball of `package`, downloaded if it is not here yet.
    pub(crate) fn tarball(&mut self, package: &str) -> anyhow::Result<PathBuf> {
        let folder = self.folder.join("downloads").join(package);
        if let Some(found) = original(&folder, package) {
            return Ok(found);
        }
        self.update()?;
        std::fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
        let mut command = self.apt();
        command
            .args(["source", "--download-only", "-q", package])
            .current_dir(&folder);
        run(&mut command)?;
        original(&folder, package).with_context(|| format!("{package}: no original tarball"))
    }

    /// Fetches the lists of source packages, once.
    fn update(&mut self) -> anyhow::Result<()> {
        if self.updated {
            return Ok(());
        }
        for name in ["parts", "lists/partial", "cache/archives/partial"] {
            let folder = self.folder.join(name);
            std::fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
        }
        let mut any = false;
        for file in system_sources() {
            let text =
                std::fs::read_to_string(&file).with_context(|| file.display().to_string())?;
            let Some(name) = file.file_name() else {
                continue;
            };
            let text = as_source(&text, file.extension().is_some_and(|e| e == "sources"));
            std::fs::write(self.folder.join("parts").join(name), text)?;
            any = true;
        }
        ensure!(
            any,
            "no package sources in /etc/apt: is this Debian or Ubuntu?"
        );
        run(self.apt().arg("update"))?;
        self.updated = true;
        Ok(())
    }

    fn apt(&self) -> Command {
        let option = |key: &str, path: &Path| {
            let mut text = OsString::from(format!("{key}="));
            text.push(path);
            text
        };
        let mut command = Command::new("apt-get");
        for (key, path) in [
            ("Dir::Etc::sourcelist", Path::new("/dev/null").to_owned()),
            ("Dir::Etc::sourceparts", self.folder.join("parts")),
            ("Dir::State::lists", self.folder.join("lists")),
            ("Dir::Cache", self.folder.join("cache")),
        ] {
            command.arg("-o").arg(option(key, &path));
        }
        command
    }
}

/// Unpacks `tarball` into `folder`, without its top folder.
pub(crate) fn unpack(tarball: &Path, folder: &Path) -> anyhow::Result<()> {
    run(&mut tar(tarball, folder)?)
}

/// Like [`unpack`], but only what matches one of `patterns`, which begin with
/// `*/` for the top folder.
pub(crate) fn unpack_only(tarball: &Path, folder: &Path, patterns: &[&str]) -> anyhow::Result<()> {
    run(tar(tarball, folder)?.arg("--wildcards").args(patterns))
}

fn tar(tarball: &Path, folder: &Path) -> anyhow::Result<Command> {
    std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    let mut command = Command::new("tar");
    command
        .arg("xf")
        .arg(tarball)
        .arg("-C")
        .arg(folder)
        .arg("--strip-components=1");
    Ok(command)
}

/// The system's package sources in either format.
fn system_sources() -> Vec<PathBuf> {
    let mut files = vec![PathBuf::from("/etc/apt/sources.list")];
    if let Ok(entries) = std::fs::read_dir("/etc/apt/sources.list.d") {
        files.extend(entries.filter_map(|entry| entry.ok().map(|entry| entry.path())));
    }
    files.retain(|file| {
        file.is_file()
            && file
                .extension()
                .is_some_and(|e| e == "list" || e == "sources")
    });
    files
}

/// Package sources rewritten to name source packages only.
fn as_source(text: &str, stanzas: bool) -> String {
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines() {
        if stanzas && line.trim_start().starts_with("Types:") {
            lines.push("Types: deb-src".to_owned());
        } else if stanzas {
            lines.push(line.to_owned());
        } else if let Some(rest) = line.trim_start().strip_prefix("deb ") {
            lines.push(format!("deb-src {rest}"));
        }
    }
    lines.join("\n") + "\n"
}

/// `package_version.orig.tar.*` in `folder`, without signatures and components.
fn original(folder: &Path, package: &str) -> Option<PathBuf> {
    let entries = std::fs::read_dir(folder).ok()?;
    let mut found: Vec<PathBuf> = entries
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with(&format!("{package}_"))
                && name.contains(".orig.tar.")
                && !name.ends_with(".asc")
        })
        .collect();
    found.sort();
    found.pop()
}

fn run(command: &mut Command) -> anyhow::Result<()> {
    let output = command
        .output()
        .with_context(|| format!("cannot run {command:?}"))?;
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr);
        let last: Vec<&str> = stderr.lines().rev().take(4).collect();
        bail!(
            "{command:?}: {}",
            last.into_iter().rev().collect::<Vec<_>>().join("; ")
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_sources_become_source_packages() {
        let text =
            "# main\ndeb [arch=amd64] http://mirror/debian stable main\ndeb-src http://x y z\n";
        assert_eq!(
            as_source(text, false),
            "deb-src [arch=amd64] http://mirror/debian stable main\n"
        );
    }

    #[test]
    fn stanzas_keep_everything_but_their_type() {
        let text = "Types: deb\nURIs: http://mirror/debian\nSuites: stable\n\nTypes: deb deb-src\n";
        let source = as_source(text, true);
        assert_eq!(source.matches("Types: deb-src\n").count(), 2);
        assert!(source.contains("URIs: http://mirror/debian\nSuites: stable\n\n"));
    }
}
