//! Where records go.
//!
//! Each record is appended by one `write` to a file opened for it and closed
//! again: what was found survives whatever happens to the process afterwards,
//! processes that share a file do not cut into each other's lines, and the
//! program can close any descriptor it likes without a record ending up in a
//! file of its own.

use crate::os::{self, Errno, File};
use alloc::format;
use alloc::string::{String, ToString};
use core::sync::atomic::{AtomicU64, Ordering};

/// The destination.
pub(in super::super) struct Sink {
    /// Records of findings written, and by which process: a forked child
    /// counts its own.
    written: (u32, u64),
    /// A record could not be written; said once.
    failed: bool,
}

impl Sink {
    /// Nothing written yet.
    pub(in super::super) const fn new() -> Sink {
        Sink {
            written: (0, 0),
            failed: false,
        }
    }

    /// Findings of process `pid` written so far.
    pub(in super::super) fn written(&self, pid: u32) -> u64 {
        match self.written {
            (owner, count) if owner == pid => count,
            _ => 0,
        }
    }

    /// Appends the record of a finding of process `pid`.
    pub(in super::super) fn finding(&mut self, json: &str, pid: u32, record: String) {
        self.written = (pid, self.written(pid) + 1);
        LAST_WRITTEN.store(u64::from(pid) << 32 | self.written.1, Ordering::Relaxed);
        self.append(json, pid, record);
    }

    /// Appends `record` as a line to what `json` names.
    pub(in super::super) fn append(&mut self, json: &str, pid: u32, mut record: String) {
        record.push('\n');
        let path = path(json, pid);
        if let Err(Errno(errno)) = append(&path, record.as_bytes())
            && !core::mem::replace(&mut self.failed, true)
        {
            let line = format!("racert: json: cannot write {path} (errno {errno})\n");
            os::write_all(os::STDERR, line.as_bytes());
        }
    }
}

/// Process and number of the last record of a finding.
static LAST_WRITTEN: AtomicU64 = AtomicU64::new(0);

/// Findings of process `pid` written so far, for those who cannot ask the
/// [`Sink`].
pub(in super::super) fn written(pid: u32) -> u64 {
    match LAST_WRITTEN.load(Ordering::Relaxed) {
        last if last >> 32 == u64::from(pid) => last & u64::from(u32::MAX),
        _ => 0,
    }
}

fn append(path: &str, record: &[u8]) -> Result<(), Errno> {
    let file = File::append(path.as_bytes())?;
    os::write_all(file.fd(), record);
    Ok(())
}

/// The file of process `pid`: `%p` stands for its id and `%%` for a percent
/// sign; in a directory, made if its name ends in a slash, it is
/// `racert.PID.json`.
fn path(json: &str, pid: u32) -> String {
    let mut path = String::with_capacity(json.len() + 8);
    let mut letters = json.chars();
    while let Some(letter) = letters.next() {
        match (letter, letters.as_str().chars().next()) {
            ('%', Some('p')) => {
                path.push_str(&pid.to_string());
                letters.next();
            }
            ('%', Some('%')) => {
                path.push('%');
                letters.next();
            }
            _ => path.push(letter),
        }
    }
    if let Some(directory) = path.strip_suffix('/') {
        // If it cannot be made, opening the file says why.
        let _ = os::make_directory(directory.as_bytes());
        path.push_str(&format!("racert.{pid}.json"));
    } else if os::is_directory(path.as_bytes()) {
        path.push_str(&format!("/racert.{pid}.json"));
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scratch(name: &str) -> String {
        let path = std::env::temp_dir().join(format!("racert-sink-{name}-{}", std::process::id()));
        path.to_str().unwrap().to_string()
    }

    #[test]
    fn names() {
        assert_eq!(path("/a/b.json", 7), "/a/b.json");
        assert_eq!(path("/a/%p/%%p.%p%x%", 7), "/a/7/%p.7%x%");
        assert_eq!(path("/proc", 7), "/proc/racert.7.json");
        let made = scratch("dir");
        assert_eq!(
            path(&format!("{made}/"), 7),
            format!("{made}/racert.7.json")
        );
        std::fs::remove_dir(&made).unwrap();
    }

    #[test]
    fn processes_share_a_file_and_count_their_own() {
        let shared = scratch("shared");
        let mut sink = Sink::new();
        sink.finding(&shared, 1, "one".into());
        sink.finding(&shared, 1, "two".into());
        assert_eq!(sink.written(1), 2);
        assert_eq!(sink.written(2), 0);
        sink.finding(&shared, 2, "three".into());
        assert_eq!(sink.written(2), 1);
        sink.append(&shared, 2, "end".into());
        let text = std::fs::read_to_string(&shared).unwrap();
        std::fs::remove_file(&shared).unwrap();
        assert_eq!(text, "one\ntwo\nthree\nend\n");
    }

    #[test]
    fn a_file_that_cannot_be_written_is_named_once() {
        let mut sink = Sink::new();
        sink.append("/nonexistent/folder/x.json", 1, "x".into());
        assert!(sink.failed);
    }
}
