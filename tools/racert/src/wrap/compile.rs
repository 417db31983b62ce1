//! What compiling adds: the plugin, a macro, the header, line tables.

use std::ffi::OsString;

use crate::error::{self, Error, Result};
use crate::layout::Layout;

use super::args::{Invocation, Mode};
use super::clang::Clang;

/// Sanitizers whose shadow or interceptors cannot share a process with racert.
const RIVALS: [&str; 8] = [
    "thread",
    "address",
    "kernel-address",
    "hwaddress",
    "memory",
    "dataflow",
    "leak",
    "type",
];

/// Refuses what cannot work, before clang says something less clear.
pub(crate) fn check(invocation: &Invocation) -> Result<()> {
    if !matches!(invocation.mode, Mode::Compile | Mode::Link(_)) {
        return Ok(());
    }
    if let Some(rival) = invocation
        .sanitizers
        .iter()
        .find(|s| RIVALS.contains(&s.as_str()))
    {
        return Err(Error::new(
            error::USAGE,
            format!("-fsanitize={rival} and racert cannot be in one program"),
        )
        .hint("drop the option, racert needs none of its own"));
    }
    if let Some(target) = &invocation.foreign_target {
        return Err(
            Error::new(error::USAGE, format!("target {target} is not supported"))
                .hint("racert instruments x86_64 Linux programs"),
        );
    }
    Ok(())
}

/// The arguments to put before the user's.
pub(crate) fn arguments(
    invocation: &Invocation,
    clang: &Clang,
    layout: &Layout,
) -> Result<Vec<OsString>> {
    if !invocation.compiles || invocation.mode == Mode::Query {
        return Ok(Vec::new());
    }
    let mut out: Vec<OsString> = vec!["--start-no-unused-arguments".into()];
    if !invocation.uninstrumented {
        out.extend(flags(clang, layout));
    }
    if !invocation.chooses_debug_info {
        out.push("-gline-tables-only".into());
    }
    let options = plugin_options(&invocation.racert_options)?;
    if !invocation.uninstrumented {
        out.extend(options);
    }
    out.push("--end-no-unused-arguments".into());
    Ok(out)
}

/// What every compilation needs, also without the wrapper.
///
/// The plugin is loaded twice: as a pass plugin, for its passes, and as a
/// front-end plugin, because clang parses `-mllvm` options after loading those
/// and before loading pass plugins.
///
/// The front end, and only it, runs as for ThreadSanitizer. Without that
/// `no_sanitize("thread")` leaves no trace in the IR, programs do not see
/// `__has_feature(thread_sanitizer)`, by which most of them decide whether to
/// write the attribute at all, and accesses to vtable pointers are not marked
/// at `-O0`. The plugin keeps ThreadSanitizer's own pass off the module. Headers
/// whose types differ then, unlike those of the library that they belong to, have
/// one in front that hides it.
pub(crate) fn flags(clang: &Clang, layout: &Layout) -> Vec<OsString> {
    let with_plugin = |option: &str| {
        let mut word = OsString::from(option);
        word.push(&clang.plugin);
        word
    };
    let mut out = vec![with_plugin("-fpass-plugin="), with_plugin("-fplugin=")];
    out.extend(for_compiler(["-fsanitize=thread".into()]));
    out.extend(plugin_option("honour-sanitize-attribute"));
    out.extend([
        "-D__RACERT__=1".into(),
        "-I".into(),
        layout.stand_in_headers().into(),
        "-idirafter".into(),
        layout.include().into(),
    ]);
    out
}

/// `-Xracert --name=value` becomes the plugin's option `-racert-name=value`.
fn plugin_options(options: &[String]) -> Result<Vec<OsString>> {
    let mut out = Vec::new();
    for option in options {
        let Some(name) = option.strip_prefix("--").filter(|name| !name.is_empty()) else {
            return Err(
                Error::new(error::USAGE, format!("-Xracert {option}: not an option"))
                    .hint("write -Xracert --NAME or -Xracert --NAME=VALUE"),
            );
        };
        out.extend(plugin_option(name));
    }
    Ok(out)
}

fn plugin_option(name: &str) -> Vec<OsString> {
    for_compiler(["-mllvm".into(), format!("-racert-{name}").into()])
}

/// Words for the compiler proper. Assembler and linker, which do not load the
/// plugin, would get a plain `-mllvm` too.
fn for_compiler<const N: usize>(words: [OsString; N]) -> Vec<OsString> {
    words
        .into_iter()
        .flat_map(|word| ["-Xclang".into(), word])
        .collect()
}
