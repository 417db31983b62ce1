//! Debug files that debuginfod's client has fetched.
//!
//! Nothing is fetched here: whoever has looked at a library with a debugger
//! that asks a server has its debug file in a folder of the client's.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use core::sync::atomic::{AtomicPtr, Ordering};

/// The client's folder; null if it is not known.
static FOLDER: AtomicPtr<String> = AtomicPtr::new(core::ptr::null_mut());

/// Looks also in the folder that the environment names, of which `get` tells
/// the variables.
pub fn look_where(get: impl Fn(&str) -> Option<String>) {
    let named = |name: &str| get(name).filter(|value| !value.is_empty());
    let folder = named("DEBUGINFOD_CACHE_PATH")
        .or_else(|| Some(format!("{}/debuginfod_client", named("XDG_CACHE_HOME")?)))
        .or_else(|| Some(format!("{}/.cache/debuginfod_client", named("HOME")?)));
    if let Some(folder) = folder {
        FOLDER.store(Box::leak(Box::new(folder)), Ordering::Release);
    }
}

/// Where the debug file of the build `id` would be.
pub fn path(id: &str) -> Option<String> {
    // SAFETY: null or what was leaked above.
    let folder = unsafe { FOLDER.load(Ordering::Acquire).as_ref() }?;
    Some(format!("{folder}/{id}/debuginfo"))
}
