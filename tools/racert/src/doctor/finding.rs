//! The outcome of a check, and the list of them as the user sees it.

use std::process::ExitCode;

use anstyle::{AnsiColor, Style};

use super::{memory, process, toolchain, trial};

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    /// As it should be.
    Ok,
    /// Works, but something is slower or missing.
    Warn,
    /// racert will not work.
    Fail,
}

/// What one check found.
#[derive(Debug)]
pub(super) struct Finding {
    level: Level,
    subject: &'static str,
    detail: String,
    remedy: Option<String>,
}

impl Finding {
    /// All is well.
    pub(super) fn ok(subject: &'static str, detail: impl Into<String>) -> Self {
        Finding {
            level: Level::Ok,
            subject,
            detail: detail.into(),
            remedy: None,
        }
    }

    /// Works with a drawback.
    pub(super) fn warn(
        subject: &'static str,
        detail: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        let remedy = Some(remedy.into());
        Finding {
            level: Level::Warn,
            subject,
            detail: detail.into(),
            remedy,
        }
    }

    /// Will not work.
    pub(super) fn fail(
        subject: &'static str,
        detail: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        let remedy = Some(remedy.into());
        Finding {
            level: Level::Fail,
            subject,
            detail: detail.into(),
            remedy,
        }
    }

    /// How bad it is.
    #[cfg(test)]
    pub(super) fn level(&self) -> Level {
        self.level
    }

    fn print(&self) {
        let (word, color) = match self.level {
            Level::Ok => ("ok  ", AnsiColor::Green),
            Level::Warn => ("warn", AnsiColor::Yellow),
            Level::Fail => ("FAIL", AnsiColor::Red),
        };
        let style = Style::new().bold().fg_color(Some(color.into()));
        anstream::println!("{style}{word}{style:#}  {}: {}", self.subject, self.detail);
        if let Some(remedy) = &self.remedy {
            anstream::println!("      -> {remedy}");
        }
    }
}

/// Runs all checks, prints them; fails if any did.
pub(crate) fn report() -> ExitCode {
    let mut findings = toolchain::check();
    findings.push(trial::check());
    findings.extend(memory::check());
    findings.extend(process::check());
    findings.iter().for_each(Finding::print);
    match findings.iter().map(|f| f.level).max() {
        Some(Level::Fail) => ExitCode::FAILURE,
        _ => ExitCode::SUCCESS,
    }
}
