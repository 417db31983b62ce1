//! Unloading of libraries.
//!
//! Destructors come after all who closed the library, see [`crate::loading`].
//!
//! Code addresses of a library that is gone stay in the history, so its names
//! are noted before; what was recorded about its data is forgotten, because
//! another library may be loaded there.

use super::next::next;
use super::stub::interceptors;
use super::{callers, section};
use crate::{heap, loading, report, tls};
use alloc::vec::Vec;
use core::ffi::{c_int, c_void};
use core::ops::Range;
use core::sync::atomic::{AtomicUsize, Ordering};

next! {
    DLCLOSE = c"dlclose": fn(*mut c_void) -> c_int;
    FINALIZE = c"__cxa_finalize": fn(*mut c_void);
}

interceptors! {
    "dlclose" => dlclose,
    "__cxa_finalize" => finalize,
}

/// Is `pc` in the dynamic linker? What it allocates is shared under a lock of
/// its own, which nobody else sees.
pub(super) fn is_linker(pc: usize) -> bool {
    static RANGE: [AtomicUsize; 2] = [const { AtomicUsize::new(0) }; 2];
    let [start, end] = RANGE.each_ref().map(|bound| bound.load(Ordering::Relaxed));
    if end != 0 {
        return (start..end).contains(&pc);
    }
    let range = linker();
    RANGE[0].store(range.start, Ordering::Relaxed);
    RANGE[1].store(range.end, Ordering::Relaxed);
    range.contains(&pc)
}

/// The memory of the dynamic linker, empty if there is none. Read from its own
/// headers: asking it for them could wait for a thread that waits for this one.
fn linker() -> Range<usize> {
    // SAFETY: reads the auxiliary vector; the linker, if there is one, begins
    // with its headers and stays mapped.
    unsafe {
        let base = libc::getauxval(libc::AT_BASE) as usize;
        if base == 0 {
            return 1..1;
        }
        let header = &*(base as *const libc::Elf64_Ehdr);
        let segments = (base + header.e_phoff as usize) as *const libc::Elf64_Phdr;
        let segments = core::slice::from_raw_parts(segments, header.e_phnum as usize);
        let loaded = segments.iter().filter(|s| s.p_type == libc::PT_LOAD);
        let end = loaded.map(|s| (s.p_vaddr + s.p_memsz) as usize).max();
        base..base + end.unwrap_or(1)
    }
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
    unsafe { crate::loaded::walk(add, (&raw mut list).cast()) };
    list
}

// The real call runs the library's destructors, outside of the runtime; they
// do not unwind, so owning a list across it does no harm.
extern "C" fn dlclose(handle: *mut c_void) -> c_int {
    let pc = tls::caller();
    let before = section(|| {
        report::note_modules();
        loading::closing(handle, pc);
        loaded()
    });
    // SAFETY: the program's own argument.
    let result = unsafe { DLCLOSE.get()(handle) };
    if let Some(before) = before {
        section(|| {
            callers::forget();
            let after = loaded();
            for gone in before.iter().filter(|module| !after.contains(module)) {
                heap::forget(gone.start, gone.len());
            }
            drop(before);
        });
    }
    result
}

/// Called by a library that goes, or by the program when it ends: runs what was
/// registered to be run then.
extern "C" fn finalize(library: *mut c_void) {
    let pc = tls::caller();
    section(|| loading::destructing(library.addr(), pc));
    // SAFETY: the library's own argument.
    unsafe { FINALIZE.get()(library) };
}

#[cfg(test)]
mod tests {
    use super::{is_linker, linker, loaded};

    #[test]
    fn the_linker_is_one_of_the_loaded_modules() {
        let linker = linker();
        assert!(loaded().iter().any(|module| module.start == linker.start));
        assert!(is_linker(linker.start + 0x1000));
        assert!(!is_linker(
            the_linker_is_one_of_the_loaded_modules as fn() as usize
        ));
    }

    #[test]
    fn this_function_is_loaded() {
        let here = this_function_is_loaded as fn() as usize;
        assert!(loaded().iter().any(|module| module.contains(&here)));
    }
}
