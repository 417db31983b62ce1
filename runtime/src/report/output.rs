//! Where reports go.

use crate::options::{Color, Options};
use crate::os::{self, File};
use alloc::format;

/// Descriptor of `log_path=stdout`.
const STDOUT: i32 = 1;

/// The destination, opened when the first report is written.
pub(super) struct Output {
    /// The log file and the process that opened it: a forked child writes one
    /// of its own.
    log: Option<(u32, File)>,
    /// The log could not be opened; said once, then stderr.
    failed: bool,
}

impl Output {
    /// Nothing opened yet.
    pub(super) const fn new() -> Output {
        Output {
            log: None,
            failed: false,
        }
    }

    /// Are reports to be coloured?
    pub(super) fn is_colored(&mut self, options: &Options) -> bool {
        match options.color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => !options.plain_terminal && os::is_terminal(self.descriptor(options)),
        }
    }

    /// Writes `bytes`, in one call unless the kernel takes less.
    pub(super) fn write(&mut self, options: &Options, bytes: &[u8]) {
        os::write_all(self.descriptor(options), bytes);
    }

    fn descriptor(&mut self, options: &Options) -> i32 {
        match options.log_path.as_str() {
            "stderr" | "" => return os::STDERR,
            "stdout" => return STDOUT,
            _ if self.failed => return os::STDERR,
            _ => {}
        }
        let pid = os::getpid();
        if let Some((opened_by, file)) = &self.log
            && *opened_by == pid
        {
            return file.fd();
        }
        let path = format!("{}.{pid}", options.log_path);
        match File::append(path.as_bytes()) {
            Ok(file) => {
                let fd = file.fd();
                self.log = Some((pid, file));
                fd
            }
            Err(os::Errno(errno)) => {
                self.failed = true;
                let line = format!(
                    "racert: log_path: cannot write {path} (errno {errno}), reports go to stderr\n"
                );
                os::write_all(os::STDERR, line.as_bytes());
                os::STDERR
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_gets_the_process_id_and_is_appended_to() {
        let base = std::env::temp_dir().join(format!("racert-log-{}", std::process::id()));
        let options = Options {
            log_path: base.to_str().unwrap().into(),
            ..Options::default()
        };
        let mut output = Output::new();
        assert!(!output.is_colored(&options));
        output.write(&options, b"one\n");
        output.write(&options, b"two\n");
        let path = format!("{}.{}", options.log_path, std::process::id());
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        assert_eq!(text, "one\ntwo\n");
    }

    #[test]
    fn a_log_that_cannot_be_opened_falls_back() {
        let options = Options {
            log_path: "/nonexistent/folder/log".into(),
            ..Options::default()
        };
        let mut output = Output::new();
        assert_eq!(output.descriptor(&options), os::STDERR);
        assert!(output.failed);
    }

    #[test]
    fn color_by_force() {
        let mut output = Output::new();
        let with = |color| Options {
            color,
            ..Options::default()
        };
        assert!(output.is_colored(&with(Color::Always)));
        assert!(!output.is_colored(&with(Color::Never)));
    }
}
