//! `racert run`: an instrumented program with options.
//!
//! On a terminal the program becomes a child, and [`supervise`] shows how it
//! stands; elsewhere this process becomes the program.

mod display;
mod status;
mod supervise;

use std::env;
use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode};

use crate::cli::{RunArgs, When};
use crate::error::{self, Error, Result};
use crate::layout::Layout;
use crate::rewrite;
use racert_abi::rewritten::{BORDERS_VARIABLE, LIBRARIES_VARIABLE, TOOL_VARIABLE};

/// Where the runtime reads its options.
pub(crate) const OPTIONS_VARIABLE: &str = "RACERT_OPTIONS";
const PRELOAD_VARIABLE: &str = "LD_PRELOAD";
const LIBRARY_VARIABLE: &str = "LD_LIBRARY_PATH";

/// Runs the program; exit code and signals are the program's.
pub(crate) fn exec(args: RunArgs) -> Result<ExitCode> {
    let (program, arguments) = args.program.split_first().expect("clap requires a program");
    let mut command = Command::new(program);
    command.args(arguments);
    let mut preload = args.preload;
    if let Some(wanted) = &args.libs {
        let mut folders = rewrite::prepare(program, wanted)?;
        let is_foreign = !rewrite::has_runtime(program);
        preload |= is_foreign;
        let twin = match is_foreign && !args.libs_only {
            true => rewrite::program_twin(program)?,
            false => None,
        };
        if let Some(others) = env::var_os(LIBRARY_VARIABLE) {
            folders.extend(env::split_paths(&others));
        }
        if let Some((twin, places)) = twin {
            command = Command::new(twin);
            command.arg0(program).args(arguments);
            // The copy is in another folder.
            folders.extend(places);
        }
        let path = env::join_paths(folders).map_err(|e| {
            Error::new(error::UNUSABLE, format!("cannot use the cache folder: {e}"))
        })?;
        command.env(LIBRARY_VARIABLE, path);
        // For libraries that the program opens later.
        command.env(LIBRARIES_VARIABLE, wanted.to_string());
        if let Ok(tool) = env::current_exe() {
            command.env(TOOL_VARIABLE, tool);
        }
        if let Some(names) = &args.libs_borders {
            command.env(BORDERS_VARIABLE, names);
        }
    }
    if !args.options.is_empty() {
        let options = with_options(env::var_os(OPTIONS_VARIABLE), &args.options);
        command.env(OPTIONS_VARIABLE, options);
    }
    if preload {
        let runtime = Layout::find()?.shared_runtime();
        if !runtime.is_file() {
            return Err(
                Error::new(error::UNUSABLE, format!("no {}", runtime.display()))
                    .hint("run `cargo xtask build`"),
            );
        }
        // First, so that its interceptors are the ones that are called.
        let others = env::var_os(PRELOAD_VARIABLE).unwrap_or_default();
        command.env(
            PRELOAD_VARIABLE,
            appended(Some(runtime.into()), others, ":"),
        );
    }
    let shown = match args.status {
        When::Always => true,
        When::Never => false,
        When::Auto => display::is_wanted(),
    };
    // Without a page, programs still know that they may be asked for dumps.
    let shared = shown.then(status::Shared::new).and_then(io::Result::ok);
    let page = shared.as_ref().map_or("-".into(), status::Shared::path);
    command.env(racert_abi::status::VARIABLE, page);
    let error = match &shared {
        Some(shared) => match supervise::run(command, &program.to_string_lossy(), shared) {
            Ok(code) => return Ok(code),
            Err(error) => error,
        },
        None => command.exec(),
    };
    let code = match error.kind() {
        std::io::ErrorKind::NotFound => error::NOT_FOUND,
        _ => error::UNUSABLE,
    };
    Err(Error::new(
        code,
        format!("cannot run {}: {error}", program.to_string_lossy()),
    ))
}

/// The value of `RACERT_OPTIONS` with more options, which win.
pub(crate) fn with_options(before: Option<OsString>, options: &[String]) -> OsString {
    appended(before, joined(options), ":")
}

/// The options as the runtime reads them: values that hold a separator quoted.
fn joined(options: &[String]) -> String {
    let separates = |c: char| c == ':' || c == ',' || c.is_ascii_whitespace();
    let quoted = options.iter().map(|option| match option.split_once('=') {
        Some((key, value)) if value.contains(separates) && !value.starts_with(['\'', '"']) => {
            let quote = if value.contains('\'') { '"' } else { '\'' };
            format!("{key}={quote}{value}{quote}")
        }
        _ => option.clone(),
    });
    quoted.collect::<Vec<_>>().join(":")
}

fn appended(first: Option<OsString>, second: impl AsRef<OsStr>, separator: &str) -> OsString {
    let mut value = first.unwrap_or_default();
    if !value.is_empty() && !second.as_ref().is_empty() {
        value.push(separator);
    }
    value.push(second);
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_with_separators_are_quoted() {
        let options = ["mode=hb", "log_path=/a b:c", "x=it's, so", "y='a b'"].map(str::to_owned);
        let wanted = r#"mode=hb:log_path='/a b:c':x="it's, so":y='a b'"#;
        assert_eq!(joined(&options), wanted);
    }

    #[test]
    fn new_options_follow_the_ones_already_set() {
        assert_eq!(
            appended(Some("mode=hb".into()), "exitcode=1", ":"),
            "mode=hb:exitcode=1"
        );
        assert_eq!(appended(None, "exitcode=1", ":"), "exitcode=1");
        assert_eq!(appended(Some("a.so".into()), "", ":"), "a.so");
    }
}
