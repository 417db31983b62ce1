//! The user's settings: `-mllvm` options and environment variables.

use crate::ignorelist::IgnoreList;
use crate::llvm::shim::{
    racert_option_front_end_opt_out, racert_option_ignorelist, racert_option_loops,
    racert_option_stats,
};

/// Names an ignore list for compilations whose command line cannot be changed.
const IGNORELIST_VARIABLE: &str = "RACERT_IGNORELIST";

/// Whether to print what was done.
pub(crate) fn stats() -> bool {
    // SAFETY: reads a variable of the shim.
    unsafe { racert_option_stats() }
}

/// Whether loops that wait for another thread are recognised.
pub(crate) fn loops() -> bool {
    // SAFETY: reads a variable of the shim.
    unsafe { racert_option_loops() }
}

/// Whether only functions marked by the front end take part.
pub(crate) fn front_end_opt_out() -> bool {
    // SAFETY: reads a variable of the shim.
    unsafe { racert_option_front_end_opt_out() }
}

/// Reads the ignore lists of command line and environment. The error is what
/// to tell the user.
pub(crate) fn ignore_list() -> Result<IgnoreList, String> {
    // SAFETY: the shim returns a C string that lives as long as the process.
    let option = unsafe { std::ffi::CStr::from_ptr(racert_option_ignorelist()) };
    let option = option.to_string_lossy().into_owned();
    let variable = std::env::var(IGNORELIST_VARIABLE).unwrap_or_default();
    let mut list = IgnoreList::default();
    for file in [option, variable].iter().filter(|file| !file.is_empty()) {
        let text = std::fs::read_to_string(file)
            .map_err(|error| format!("racert: cannot read ignore list '{file}': {error}"))?;
        list.add(file, &text)
            .map_err(|malformed| format!("racert: {malformed}"))?;
    }
    Ok(list)
}
