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
    out.extend(flags(clang, layout));
    if !invocation.chooses_debug_info {
        out.push("-gline-tables-only".into());
    }
    out.extend(plugin_options(&invocation.racert_options, clang)?);
    out.push("--end-no-unused-arguments".into());
    Ok(out)
}

/// What every compilation needs, also without the wrapper.
pub(crate) fn flags(clang: &Clang, layout: &Layout) -> Vec<OsString> {
    let mut plugin = OsString::from("-fpass-plugin=");
    plugin.push(&clang.plugin);
    vec![
        plugin,
        "-D__RACERT__=1".into(),
        "-idirafter".into(),
        layout.include().into(),
    ]
}

/// `-Xracert --name=value` becomes the plugin's option `-racert-name=value`.
///
/// clang parses `-mllvm` options before it loads pass plugins, so the plugin
/// is loaded as a frontend plugin too: that happens first.
fn plugin_options(options: &[String], clang: &Clang) -> Result<Vec<OsString>> {
    if options.is_empty() {
        return Ok(Vec::new());
    }
    let mut out: Vec<OsString> = ["-Xclang", "-load", "-Xclang"].map(OsString::from).to_vec();
    out.push(clang.plugin.clone().into());
    for option in options {
        let Some(name) = option.strip_prefix("--").filter(|name| !name.is_empty()) else {
            return Err(
                Error::new(error::USAGE, format!("-Xracert {option}: not an option"))
                    .hint("write -Xracert --NAME or -Xracert --NAME=VALUE"),
            );
        };
        out.push("-mllvm".into());
        out.push(format!("-racert-{name}").into());
    }
    Ok(out)
}
