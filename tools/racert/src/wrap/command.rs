//! Putting clang's command line together and becoming clang.

use std::convert::Infallible;
use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::process::Command;

use crate::error::{self, Error, Result};
use crate::layout::Layout;

use super::args::Invocation;
use super::clang::{self, Driver};
use super::{compile, link, response};

/// Replaces this process by clang. Returns only if that fails.
pub(crate) fn exec(driver: Driver, args: Vec<OsString>) -> Result<Infallible> {
    let expanded = response::expand(&args);
    let invocation = Invocation::parse(&expanded);
    compile::check(&invocation)?;
    let layout = Layout::find()?;
    let clang = clang::find(driver, &layout)?;

    let mut words = clang.command.iter();
    let mut command = Command::new(words.next().expect("a compiler has a name"));
    command
        .args(words)
        .args(compile::arguments(&invocation, &clang, &layout)?)
        .args(users_arguments(args, expanded, &invocation))
        .args(link::arguments(&invocation, &layout)?);
    let error = command.exec();
    Err(Error::new(
        error::NOT_FOUND,
        format!(
            "cannot run {}: {error}",
            command.get_program().to_string_lossy()
        ),
    ))
}

/// The arguments as given, without `-Xracert` and its values, which clang does
/// not know. Response files stay closed unless one holds such an option.
fn users_arguments(
    args: Vec<OsString>,
    expanded: Vec<OsString>,
    invocation: &Invocation,
) -> Vec<OsString> {
    if invocation.racert_options.is_empty() {
        return args;
    }
    let count = |args: &[OsString]| args.iter().filter(|arg| *arg == "-Xracert").count();
    let source = if count(&args) == count(&expanded) {
        args
    } else {
        expanded
    };
    let mut out = Vec::with_capacity(source.len());
    let mut rest = source.into_iter();
    while let Some(arg) = rest.next() {
        if arg == "-Xracert" {
            rest.next();
        } else {
            out.push(arg);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_for_racert_do_not_reach_clang() {
        let args: Vec<OsString> = ["-c", "-Xracert", "--stats", "a.c"]
            .map(Into::into)
            .to_vec();
        let invocation = Invocation::parse(&args);
        let kept = users_arguments(args.clone(), args, &invocation);
        assert_eq!(kept, ["-c", "a.c"]);
    }

    #[test]
    fn response_files_stay_closed_unless_they_hold_options_for_racert() {
        let given: Vec<OsString> = vec!["@list".into()];
        let plain: Vec<OsString> = ["-c", "a.c"].map(Into::into).to_vec();
        let kept = users_arguments(given.clone(), plain.clone(), &Invocation::parse(&plain));
        assert_eq!(kept, ["@list"]);
        let with: Vec<OsString> = ["-c", "a.c", "-Xracert", "--stats"]
            .map(Into::into)
            .to_vec();
        let kept = users_arguments(given, with.clone(), &Invocation::parse(&with));
        assert_eq!(kept, ["-c", "a.c"]);
    }
}
