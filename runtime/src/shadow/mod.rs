//! Shadow memory: one word for every 8 bytes of the program.
//!
//! The mapping is a xor (see [`racert_abi::SHADOW_XOR`]); the whole image is
//! reserved at start and costs nothing until touched. What a word says is in
//! [`word`]; a granule that several threads have touched refers to a [`cell`].

pub mod cell;
pub mod clear;
pub mod scan;
pub mod word;

use crate::os::{self, Errno, Reserve};
use core::sync::atomic::AtomicU64;
use racert_abi as abi;

/// First byte of shadow memory: the image of the high application region.
const START: usize = (abi::APP_HIGH_START ^ abi::SHADOW_XOR) as usize;
/// Its length: the images of both application regions are adjacent.
const LEN: usize = (abi::APP_LOW_END + (abi::APP_HIGH_END - abi::APP_HIGH_START)) as usize;

const _: () = assert!(START + LEN == (abi::SHADOW_XOR + abi::APP_LOW_END) as usize);

/// Reserves the image of all application memory.
pub fn reserve() -> Result<(), Errno> {
    os::reserve(Reserve::Exactly(START), LEN)?;
    os::advise_no_huge_pages(START, LEN);
    os::advise_dont_dump(START, LEN);
    Ok(())
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
    let at = (addr & !(abi::GRANULE as usize - 1)) ^ abi::SHADOW_XOR as usize;
    // SAFETY: the image of application memory is mapped from start to end of
    // the process and accessed only through atomics.
    unsafe { &*(at as *const AtomicU64) }
}
