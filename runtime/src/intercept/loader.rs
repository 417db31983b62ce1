//! Unloading of libraries.
//!
//! Code addresses of a library that is gone stay in the history, so its names
//! are noted before; what was recorded about its data is forgotten, because
//! another library may be loaded there.

use super::next::next;
use super::stub::interceptors;
use super::{callers, enter};
use crate::{heap, report};
use alloc::vec::Vec;
use core::ffi::{c_int, c_void};
use core::ops::Range;

next! {
    DLCLOSE = c"dlclose": fn(*mut c_void) -> c_int;
}

interceptors! {
    "dlclose" => dlclose,
}

/// The memory of the loaded modules.
fn loaded() -> Vec<Range<usize>> {
    unsafe extern "C" fn add(
        info: *mut libc::dl_phdr_info,
        _size: usize,
        list: *mut c_void,
    ) -> c_int {
        // SAFETY: the loader passes a valid description, and our list.
        unsafe {
            let base = (*info).dlpi_addr as usize;
            let headers =
                core::slice::from_raw_parts((*info).dlpi_phdr, (*info).dlpi_phnum as usize);
            let segments = headers.iter().filter(|h| h.p_type == libc::PT_LOAD);
            let starts = segments.clone().map(|h| h.p_vaddr as usize);
            let ends = segments.map(|h| (h.p_vaddr + h.p_memsz) as usize);
            if let (Some(start), Some(end)) = (starts.min(), ends.max()) {
                (*list.cast::<Vec<Range<usize>>>()).push(base + start..base + end);
            }
        }
        0
    }
    let mut list = Vec::new();
    // SAFETY: the callback matches what it is given.
    unsafe { libc::dl_iterate_phdr(Some(add), (&raw mut list).cast()) };
    list
}

// The real call runs the library's destructors, outside of the runtime; they
// do not unwind, so owning a list across it does no harm.
extern "C" fn dlclose(handle: *mut c_void) -> c_int {
    let before = enter().map(|_inside| {
        report::note_modules();
        loaded()
    });
    // SAFETY: the program's own argument.
    let result = unsafe { DLCLOSE.get()(handle) };
    if let Some(before) = before
        && let Some(_inside) = enter()
    {
        callers::forget();
        let after = loaded();
        for gone in before.iter().filter(|module| !after.contains(module)) {
            heap::forget(gone.start, gone.len());
        }
        drop(before);
    }
    result
}

#[cfg(test)]
mod tests {
    use super::loaded;

    #[test]
    fn this_function_is_loaded() {
        let here = this_function_is_loaded as fn() as usize;
        assert!(loaded().iter().any(|module| module.contains(&here)));
    }
}
