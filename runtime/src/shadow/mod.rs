//! Shadow memory: one word for every 8 bytes of the program.
//!
//! The mapping is a xor (see [`racert_abi::SHADOW_XOR`]) and a small offset; the
//! whole image is
//! reserved at start and costs nothing until touched. What a word says is in
//! [`word`]; a thread's older record of a granule stands [`beside`] it; a
//! granule that several threads have touched refers to a [`cell`], or, if they
//! only read it, to their [`planes`], where a thread's reads are a [`pair`].

pub mod beside;
pub mod cell;
pub mod clear;
pub mod pair;
pub mod planes;
pub mod resident;
pub mod scan;
pub mod word;

use crate::os::{self, Errno};
use core::sync::atomic::AtomicU64;
use racert_abi as abi;

/// First byte of shadow memory: the image of the high application region.
const START: usize = (abi::APP_HIGH_START ^ abi::SHADOW_XOR) as usize;
/// Bytes of application memory.
const IMAGE: usize = (abi::APP_LOW_END + (abi::APP_HIGH_END - abi::APP_HIGH_START)) as usize;
/// Length of shadow memory: the images of both application regions are
/// adjacent, and the whole is moved up by less than a page.
const LEN: usize = IMAGE + os::PAGE;

const _: () = assert!(START + IMAGE == (abi::SHADOW_XOR + abi::APP_LOW_END) as usize);
const _: () = assert!(OFFSET < os::PAGE && OFFSET.is_multiple_of(abi::GRANULE as usize));

/// How far into a shadow page the words of an application page begin. An
/// address at which a shadow page begins is this much below a multiple of the
/// page size.
pub(super) const OFFSET: usize = abi::SHADOW_OFFSET as usize;

/// Reserves the image of all application memory.
pub fn reserve() -> Result<(), Errno> {
    os::reserve_at(START, LEN)?;
    os::advise_no_huge_pages(START, LEN);
    os::advise_dont_dump(START, LEN);
    os::advise_wipe_on_fork(START, LEN);
    Ok(())
}

/// In a forked child: whatever was recorded happened before all that it and
/// its threads will do.
pub fn forget_all() {
    os::advise_dont_need(START, LEN);
    cell::forget_all();
}

/// Bytes of address space the shadow takes.
pub const fn reserved_bytes() -> usize {
    LEN
}

/// Does `[addr, addr + len)` lie in application memory?
#[inline]
pub fn is_application(addr: usize, len: usize) -> bool {
    let (start, end) = (addr as u64, (addr as u64).saturating_add(len as u64));
    end <= abi::APP_LOW_END || (start >= abi::APP_HIGH_START && end <= abi::APP_HIGH_END)
}

/// The word that shadows the granule of `addr`, which must be application
/// memory.
#[inline(always)]
pub fn word_of(addr: usize) -> &'static AtomicU64 {
    let at = ((addr & !(abi::GRANULE as usize - 1)) ^ abi::SHADOW_XOR as usize) + OFFSET;
    // SAFETY: the image of application memory is mapped from start to end of
    // the process and accessed only through atomics.
    unsafe { &*(at as *const AtomicU64) }
}
