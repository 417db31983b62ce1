//! Mappings of the program.
//!
//! What was recorded about a range is forgotten when it is unmapped and when
//! something new is mapped there. Nothing of the program's may come to lie
//! outside the part of the address space that has a shadow.

use super::next::next;
use super::stub::interceptors;
use super::{Pc, caller, section, set_errno};
use crate::os::{self, PAGE};
use crate::{heap, init};
use core::ffi::{c_int, c_void};
use core::ptr::null_mut;
use libc::{MAP_ANONYMOUS, MAP_FAILED, MAP_FIXED, PROT_WRITE, off_t};
use racert_abi::{APP_HIGH_END, APP_HIGH_START, APP_LOW_END};

next! {
    MMAP = c"mmap": fn(*mut c_void, usize, c_int, c_int, c_int, off_t) -> *mut c_void;
    MUNMAP = c"munmap": fn(*mut c_void, usize) -> c_int;
    MREMAP = c"mremap": fn(*mut c_void, usize, usize, c_int, *mut c_void) -> *mut c_void;
    SHMAT = c"shmat": fn(c_int, *const c_void, c_int) -> *mut c_void;
    SHMDT = c"shmdt": fn(*const c_void) -> c_int;
}

interceptors! {
    "mmap" => mmap,
    "mmap64" => mmap,
    "munmap" => munmap,
    "mremap" => mremap,
    "shmat" => shmat,
    "shmdt" => shmdt,
}

/// Does the whole range have a shadow?
fn has_shadow(addr: *mut c_void, len: usize) -> bool {
    let start = addr as u64;
    let Some(end) = start.checked_add(len as u64) else {
        return false;
    };
    end <= APP_LOW_END || (start >= APP_HIGH_START && end <= APP_HIGH_END)
}

fn forget(addr: *mut c_void, len: usize) {
    if let Some(len) = len.checked_next_multiple_of(PAGE)
        && has_shadow(addr, len)
    {
        section(|| heap::forget(addr as usize, len));
    }
}

/// As [`forget`], for memory that is mapped for whoever called from `pc`.
fn take(addr: *mut c_void, len: usize, pc: Pc) {
    if let Some(len) = len.checked_next_multiple_of(PAGE)
        && has_shadow(addr, len)
    {
        section(|| heap::allocated(addr as usize, len, pc));
    }
}

/// As [`forget`], after a look at who still uses it.
fn give_back(addr: *mut c_void, len: usize, pc: Pc) {
    if has_shadow(addr, len) {
        section(|| heap::freeing(addr as usize, len, pc));
    }
    forget(addr, len);
}

fn refuse() -> *mut c_void {
    set_errno(libc::ENOMEM);
    MAP_FAILED
}

// SAFETY of the calls below: the program's own arguments, except that a hint
// is dropped where it led astray.

extern "C" fn mmap(
    addr: *mut c_void,
    len: usize,
    protection: c_int,
    flags: c_int,
    fd: c_int,
    offset: off_t,
) -> *mut c_void {
    let pc = caller();
    let real = MMAP.get();
    if !init::initialised() {
        // SAFETY: see above.
        return unsafe { real(addr, len, protection, flags, fd, offset) };
    }
    if flags & MAP_FIXED != 0 && !has_shadow(addr, len) {
        return refuse();
    }
    // SAFETY: see above.
    let mut got = unsafe { real(addr, len, protection, flags, fd, offset) };
    if got != MAP_FAILED && !has_shadow(got, len) {
        // SAFETY: this mapping is a moment old and nobody knows of it.
        unsafe { MUNMAP.get()(got, len) };
        // SAFETY: see above.
        got = unsafe { real(null_mut(), len, protection, flags, fd, offset) };
    }
    if got != MAP_FAILED {
        if flags & MAP_ANONYMOUS != 0 && protection & PROT_WRITE != 0 {
            take(got, len, pc);
        } else {
            forget(got, len);
        }
    }
    got
}

extern "C" fn munmap(addr: *mut c_void, len: usize) -> c_int {
    let pc = caller();
    // Before the real call: afterwards the range may be somebody else's.
    if (addr as usize).is_multiple_of(PAGE) && len != 0 {
        give_back(addr, len, pc);
    }
    // SAFETY: see above.
    unsafe { MUNMAP.get()(addr, len) }
}

/// A mapping that may move is given back where it was, whether or not it does;
/// one that must not only loses its end or gets a new one.
extern "C" fn mremap(
    addr: *mut c_void,
    old_len: usize,
    len: usize,
    flags: c_int,
    target: *mut c_void,
) -> *mut c_void {
    let pc = caller();
    let fixed = flags & libc::MREMAP_FIXED != 0;
    if fixed && init::initialised() && !has_shadow(target, len) {
        return refuse();
    }
    let kept = if flags & libc::MREMAP_MAYMOVE == 0 {
        len.min(old_len)
            .checked_next_multiple_of(PAGE)
            .unwrap_or(old_len)
    } else {
        0
    };
    if (addr as usize).is_multiple_of(PAGE) && old_len > kept {
        give_back(addr.wrapping_byte_add(kept), old_len - kept, pc);
    }
    // SAFETY: see above.
    let got = unsafe { MREMAP.get()(addr, old_len, len, flags, target) };
    if got != MAP_FAILED && len > kept {
        forget(got.wrapping_byte_add(kept), len - kept);
    }
    got
}

/// Attaches a segment of System V's shared memory.
extern "C" fn shmat(id: c_int, addr: *const c_void, flags: c_int) -> *mut c_void {
    // SAFETY: see above.
    let got = unsafe { SHMAT.get()(id, addr, flags) };
    if got != MAP_FAILED
        && let Some(Some(range)) = section(|| os::shared_range_at(got as usize))
    {
        forget(got, range.len());
    }
    got
}

extern "C" fn shmdt(addr: *const c_void) -> c_int {
    let pc = caller();
    if let Some(Some(range)) = section(|| os::shared_range_at(addr as usize)) {
        give_back(addr.cast_mut(), range.len(), pc);
    }
    // SAFETY: see above.
    unsafe { SHMDT.get()(addr) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shadow_is_out_of_bounds() {
        let page = |addr: u64| has_shadow(addr as *mut c_void, PAGE);
        assert!(page(0x40_0000));
        assert!(page(APP_LOW_END - PAGE as u64));
        assert!(!page(APP_LOW_END - 8));
        assert!(!page(APP_LOW_END));
        assert!(!page(APP_HIGH_START - 8));
        assert!(page(APP_HIGH_START));
        assert!(page(APP_HIGH_END - PAGE as u64));
        assert!(!page(APP_HIGH_END));
        assert!(!has_shadow(PAGE as *mut c_void, usize::MAX));
    }
}
