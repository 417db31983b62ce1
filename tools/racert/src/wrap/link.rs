//! What linking adds: the runtime, and what lets shared libraries find it.
//!
//! The runtime goes into the executable. Shared libraries, whether linked or
//! loaded later, find its entry points and interceptors there, because the
//! executable exports them: so there is one runtime in a process.

use std::ffi::OsString;

use crate::error::{self, Error, Result};
use crate::layout::Layout;

use super::args::{Invocation, Mode, Output};

/// The arguments to put behind the user's.
pub(crate) fn arguments(invocation: &Invocation, layout: &Layout) -> Result<Vec<OsString>> {
    match invocation.mode {
        Mode::Link(Output::Executable) => Ok(executable(layout, !invocation.no_default_libs)),
        Mode::Link(Output::SharedLibrary) if invocation.forbids_undefined => {
            // The entry points come from the executable, when it is run. gold
            // does not know `-z undefs`; this one all linkers do.
            Ok(linker(["--unresolved-symbols=ignore-all".into()]))
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

/// What an executable is linked with; `libraries` adds those of the system
/// that the runtime uses.
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
    }
    out
}

fn linker<const N: usize>(words: [OsString; N]) -> Vec<OsString> {
    words
        .into_iter()
        .flat_map(|word| ["-Xlinker".into(), word])
        .collect()
}
