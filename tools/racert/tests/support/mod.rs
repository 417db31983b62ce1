//! A scratch folder, and running programs in it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};

/// A folder of its own for one test, removed at its end.
pub(crate) struct Scratch {
    path: PathBuf,
}

impl Scratch {
    /// Makes the folder.
    pub(crate) fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("racert-{}-{number}", std::process::id());
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&path).expect("a scratch folder can be made");
        Scratch { path }
    }

    /// The folder.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a file into it.
    pub(crate) fn write(&self, name: &str, contents: &str) -> PathBuf {
        let path = self.path.join(name);
        fs::create_dir_all(path.parent().expect("a file has a folder")).expect("folder");
        fs::write(&path, contents).expect("a scratch file can be written");
        path
    }

    /// A command that runs in the folder.
    pub(crate) fn command(&self, program: impl AsRef<Path>) -> Command {
        let mut command = Command::new(program.as_ref());
        command.current_dir(&self.path);
        command
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Left behind after a failure, to be looked at.
        if !std::thread::panicking() {
            let _ = fs::remove_dir_all(&self.path);
        }
    }
}

/// Both streams of a finished program, as text.
pub(crate) fn text(output: &Output) -> String {
    let both = [&output.stdout[..], &output.stderr[..]].concat();
    String::from_utf8_lossy(&both).into_owned()
}
