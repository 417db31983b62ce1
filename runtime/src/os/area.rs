//! The runtime's own part of the address space.
//!
//! All memory the runtime uses for itself comes from one reservation at a
//! fixed place that no program uses (see [`racert_abi::RUNTIME_START`]), so it
//! is never mistaken for the program's. Pieces cost nothing until touched.
//! What is given back is returned to the kernel and kept for the next request
//! of its size.

use super::call::Errno;
use super::memory::{self, PAGE};
use crate::internal_error;
use crate::spin::SpinLock;
use racert_abi::{RUNTIME_END, RUNTIME_START};

/// Pieces given back that are remembered. What does not fit is lost address
/// space, of which there are terabytes.
const REMEMBERED: usize = 512;

struct Area {
    /// First byte not handed out yet; 0 before the reservation.
    next: usize,
    free: [(usize, usize); REMEMBERED],
    count: usize,
}

static AREA: SpinLock<Area> = SpinLock::new(Area {
    next: 0,
    free: [(0, 0); REMEMBERED],
    count: 0,
});

impl Area {
    fn reserve(&mut self) -> Result<(), Errno> {
        if self.next == 0 {
            let (start, end) = (RUNTIME_START as usize, RUNTIME_END as usize);
            memory::reserve_at(start, end - start)?;
            memory::advise_no_huge_pages(start, end - start);
            self.next = start;
        }
        Ok(())
    }
}

/// Makes the reservation, if nobody has yet.
pub fn reserve() -> Result<(), Errno> {
    AREA.lock().reserve()
}

/// Takes `len` bytes of zeroed memory. Where there is no room for the
/// reservation, the runtime will not start, but has something to say.
pub(super) fn take(len: usize) -> Result<*mut u8, Errno> {
    let len = len.next_multiple_of(PAGE);
    if internal_error::is_off() {
        // Who had the lock may never give it back.
        return memory::map_anywhere(len);
    }
    let mut area = AREA.lock();
    if area.reserve().is_err() {
        return memory::map_anywhere(len);
    }
    let count = area.count;
    if let Some(i) = area.free[..count].iter().position(|&(_, l)| l == len) {
        let (at, _) = area.free[i];
        area.free[i] = area.free[count - 1];
        area.count -= 1;
        return Ok(at as *mut u8);
    }
    if RUNTIME_END as usize - area.next < len {
        return Err(Errno(libc::ENOMEM));
    }
    let at = area.next;
    area.next += len;
    Ok(at as *mut u8)
}

/// Gives back what [`take`] gave.
pub(super) fn give_back(addr: *mut u8, len: usize) {
    let len = len.next_multiple_of(PAGE);
    memory::advise_dont_need(addr as usize, len);
    if internal_error::is_off() {
        return;
    }
    let mut area = AREA.lock();
    if area.count < REMEMBERED {
        let count = area.count;
        area.free[count] = (addr as usize, len);
        area.count += 1;
    }
}

/// Keeps everybody else out until the process has forked.
pub fn before_fork() {
    AREA.hold();
}

/// Opens the lock after a fork, in parent and child.
///
/// # Safety
/// As [`SpinLock::force_unlock`].
pub unsafe fn after_fork() {
    // SAFETY: passed on.
    unsafe { AREA.force_unlock() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_come_back_zeroed() {
        let len = 3 * PAGE + 1;
        let a = take(len).unwrap();
        // SAFETY: just taken.
        unsafe { a.write_bytes(7, len) };
        give_back(a, len);
        let b = take(len).unwrap();
        // SAFETY: just taken.
        let bytes = unsafe { core::slice::from_raw_parts(b, len) };
        assert!(bytes.iter().all(|&x| x == 0));
        let c = take(len).unwrap();
        assert!((b as usize).abs_diff(c as usize) >= len);
        give_back(b, len);
        give_back(c, len);
    }
}
