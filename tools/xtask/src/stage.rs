//! Writing the install tree, touching only what changed.
//!
//! A file that already has the right contents keeps its time stamp, so that
//! builds which depend on the tree do not start over.

use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// An install tree being written.
pub(crate) struct Stage {
    root: PathBuf,
}

impl Stage {
    /// A tree below `root`, which is made if absent.
    pub(crate) fn new(root: PathBuf) -> Self {
        Stage { root }
    }

    /// Copies a file, permissions included.
    pub(crate) fn copy(&self, from: &Path, to: &str) -> Result<()> {
        let contents = fs::read(from).with_context(|| format!("cannot read {}", from.display()))?;
        let mode = fs::metadata(from)?.permissions().mode() & 0o777;
        self.place(to, &contents, mode)
    }

    /// Writes a text file.
    pub(crate) fn write(&self, to: &str, contents: &str) -> Result<()> {
        self.place(to, contents.as_bytes(), 0o644)
    }

    /// Makes `link` point at `target`, a path relative to the link.
    pub(crate) fn link(&self, link: &str, target: &str) -> Result<()> {
        let path = self.prepare(link)?;
        if fs::read_link(&path).is_ok_and(|old| old == Path::new(target)) {
            return Ok(());
        }
        remove(&path)?;
        symlink(target, &path).with_context(|| format!("cannot make {}", path.display()))
    }

    /// Takes away a file of an earlier build.
    pub(crate) fn remove(&self, name: &str) -> Result<()> {
        remove(&self.root.join(name))
    }

    fn place(&self, to: &str, contents: &[u8], mode: u32) -> Result<()> {
        let path = self.prepare(to)?;
        let same_mode = fs::symlink_metadata(&path)
            .is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o777 == mode);
        if same_mode && fs::read(&path).is_ok_and(|old| old == contents) {
            return Ok(());
        }
        // A new file under a temporary name: a program that has the old one
        // open or mapped keeps it whole.
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(format!(".{}.tmp", std::process::id()));
        let temporary = path.with_file_name(name);
        fs::write(&temporary, contents)
            .and_then(|()| fs::set_permissions(&temporary, fs::Permissions::from_mode(mode)))
            .and_then(|()| fs::rename(&temporary, &path))
            .with_context(|| format!("cannot write {}", path.display()))
    }

    fn prepare(&self, to: &str) -> Result<PathBuf> {
        let path = self.root.join(to);
        let folder = path.parent().unwrap_or(&self.root);
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        Ok(path)
    }
}

fn remove(path: &Path) -> Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove {}", path.display()))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unchanged_files_are_left_alone_and_changed_ones_replaced() {
        let root = std::env::temp_dir().join(format!("racert-stage-{}", std::process::id()));
        let stage = Stage::new(root.clone());
        let file = root.join("lib/a.txt");
        stage.write("lib/a.txt", "one").unwrap();
        let long_ago = std::time::SystemTime::UNIX_EPOCH;
        fs::File::open(&file)
            .unwrap()
            .set_modified(long_ago)
            .unwrap();
        stage.write("lib/a.txt", "one").unwrap();
        assert_eq!(fs::metadata(&file).unwrap().modified().unwrap(), long_ago);
        stage.write("lib/a.txt", "two").unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "two");
        assert_ne!(fs::metadata(&file).unwrap().modified().unwrap(), long_ago);
        stage.link("lib/b.txt", "a.txt").unwrap();
        stage.link("lib/b.txt", "a.txt").unwrap();
        assert_eq!(fs::read_to_string(root.join("lib/b.txt")).unwrap(), "two");
        stage.remove("lib/b.txt").unwrap();
        stage.remove("lib/b.txt").unwrap();
        assert!(!root.join("lib/b.txt").exists());
        fs::remove_dir_all(&root).unwrap();
    }
}
