//! Errors as the user meets them: what is wrong, what to do next, exit code.

use std::fmt;

/// Wrong usage: options that contradict each other or that racert cannot serve.
pub(crate) const USAGE: u8 = 2;
/// A file that is not what it should be.
pub(crate) const DATA: u8 = 65;
/// A file that cannot be read.
pub(crate) const NO_INPUT: u8 = 66;
/// A file that cannot be written.
pub(crate) const CANNOT_WRITE: u8 = 73;
/// Something of the installation is there but does not fit.
pub(crate) const UNUSABLE: u8 = 126;
/// A program that is needed was not found.
pub(crate) const NOT_FOUND: u8 = 127;

/// One problem, said in one line, with an optional second line that helps.
#[derive(Debug)]
pub(crate) struct Error {
    message: String,
    hint: Option<String>,
    code: u8,
}

/// Result of everything in this command that can fail.
pub(crate) type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// An error that ends the command with `code`.
    pub(crate) fn new(code: u8, message: impl Into<String>) -> Self {
        Error {
            message: message.into(),
            hint: None,
            code,
        }
    }

    /// Adds what the user can do about it.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Names the file that the error is about.
    pub(crate) fn about(mut self, file: &str) -> Self {
        self.message = format!("{file}: {}", self.message);
        self
    }

    /// Exit code of the command.
    pub(crate) fn code(&self) -> u8 {
        self.code
    }

    /// Prints the error to stderr, coloured when that is a terminal.
    pub(crate) fn print(&self) {
        let style = anstyle::Style::new()
            .bold()
            .fg_color(Some(anstyle::AnsiColor::Red.into()));
        anstream::eprintln!("racert: {style}error:{style:#} {self}");
    }
}

impl From<racert_rewrite::Error> for Error {
    fn from(error: racert_rewrite::Error) -> Self {
        let hint = error.advice().map(str::to_owned);
        let plain = Error::new(DATA, error.message());
        Error { hint, ..plain }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match &self.hint {
            Some(hint) => write!(f, "; {hint}"),
            None => Ok(()),
        }
    }
}
