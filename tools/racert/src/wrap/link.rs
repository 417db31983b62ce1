//! What linking adds: the runtime, and what lets shared libraries find it.
//!
//! The runtime goes into the executable. Shared libraries, whether linked or
//! loaded later, find its entry points and interceptors there, because the
//! executable exports them: so there is one runtime in a process.

use std::ffi::{OsStr, OsString};

use crate::error::{self, Error, Result};
use crate::layout::Layout;

use super::args::{Invocation, Mode, Output};
use super::clang::search_path;

/// The arguments to put behind the user's.
pub(crate) fn arguments(invocation: &Invocation, layout: &Layout) -> Result<Vec<OsString>> {
    match invocation.mode {
        Mode::Link(Output::Executable) => Ok(executable(layout, !invocation.no_default_libs)),
        Mode::Link(Output::SharedLibrary) if invocation.forbids_undefined => {
            Ok(allow_undefined(invocation.linker.as_deref()))
        }
        Mode::Link(Output::StaticExecutable) => Err(Error::new(
            error::USAGE,
            "a statically linked program cannot be checked: its libc calls cannot be intercepted",
        )
        .hint("link without -static")),
        Mode::Link(Output::SharedLibrary | Output::Relocatable)
        | Mode::Compile
        | Mode::Frontend
        | Mode::Query => Ok(Vec::new()),
    }
}

/// Takes back that nothing may stay undefined: the entry points come from the
/// executable, when it is run. gold does not know the option that the others
/// have for it, and mold takes gold's for leave to resolve them to nothing.
fn allow_undefined(linker_name: Option<&str>) -> Vec<OsString> {
    if is_gold(linker_name) {
        linker(["--unresolved-symbols=ignore-all".into()])
    } else {
        linker(["-z".into(), "undefs".into()])
    }
}

/// Whether the linker is gold, by its name or, where none is named, by what
/// the system's `ld` is a link to.
fn is_gold(linker_name: Option<&str>) -> bool {
    let is_named_gold = |name: &OsStr| name.to_string_lossy().ends_with("gold");
    match linker_name {
        Some(name) => is_named_gold(OsStr::new(name)),
        None => search_path(OsStr::new("ld"))
            .and_then(|path| path.canonicalize().ok())
            .is_some_and(|path| path.file_name().is_some_and(is_named_gold)),
    }
}

/// What an executable is linked with; `libraries` adds those of the system
/// that the runtime uses, and the one of mathematics if the program needs it:
/// a `configure` that finds some of its functions in the runtime does not look
/// for the library.
pub(crate) fn executable(layout: &Layout, libraries: bool) -> Vec<OsString> {
    let mut exported = OsString::from("--dynamic-list=");
    exported.push(layout.dynamic_list());
    // Through the linker's own options, so that an open `-x c` of the user
    // does not make sources of them. `-u` takes the runtime in even if only a
    // library that is loaded later was instrumented.
    let mut out = linker([
        "-u".into(),
        racert_abi::entry::INIT.into(),
        exported,
        layout.static_runtime().into_os_string(),
    ]);
    if libraries {
        out.extend(["-lpthread", "-ldl"].map(OsString::from));
        out.extend(linker(["--push-state".into(), "--as-needed".into()]));
        out.push("-lm".into());
        out.extend(linker(["--pop-state".into()]));
    }
    out
}

fn linker<const N: usize>(words: [OsString; N]) -> Vec<OsString> {
    words
        .into_iter()
        .flat_map(|word| ["-Xlinker".into(), word])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gold_is_known_by_its_name() {
        for name in ["gold", "/usr/bin/ld.gold", "x86_64-linux-gnu-gold"] {
            assert!(is_gold(Some(name)), "{name}");
        }
        for name in ["bfd", "lld", "mold", "/usr/bin/ld.mold"] {
            assert!(!is_gold(Some(name)), "{name}");
        }
    }
}
