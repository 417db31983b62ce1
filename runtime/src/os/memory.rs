//! Address space.

use super::call::{Errno, syscall};
use racert_abi::{RUNTIME_END, RUNTIME_START};

/// Size of a page.
pub const PAGE: usize = 4096;

/// Takes `len` bytes of zeroed memory, whose pages cost nothing until touched,
/// from the runtime's own part of the address space.
pub fn map(len: usize) -> Result<*mut u8, Errno> {
    super::area::take(len)
}

/// Claims `[addr, addr + len)`, unless something is mapped there; its pages
/// cost nothing until touched.
pub fn reserve_at(addr: usize, len: usize) -> Result<(), Errno> {
    let flags =
        libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE | libc::MAP_FIXED_NOREPLACE;
    let got = mmap(addr, len, flags)?;
    if got as usize == addr {
        return Ok(());
    }
    // A kernel older than MAP_FIXED_NOREPLACE took it as a hint.
    unmap(got, len);
    Err(Errno(libc::EEXIST))
}

/// Maps `len` bytes of zeroed memory wherever the kernel likes: among the
/// program's own, where checked code may look at it.
pub fn map_anywhere(len: usize) -> Result<*mut u8, Errno> {
    mmap(0, len, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS)
}

fn mmap(addr: usize, len: usize, flags: i32) -> Result<*mut u8, Errno> {
    let prot = (libc::PROT_READ | libc::PROT_WRITE) as usize;
    // SAFETY: a new anonymous mapping that replaces nothing.
    let got = unsafe {
        syscall(
            libc::SYS_mmap,
            [addr, len, prot, flags as usize, usize::MAX, 0],
        )
    }?;
    Ok(got as *mut u8)
}

/// Gives back memory from [`map`], or a file's mapping.
pub fn unmap(addr: *mut u8, len: usize) {
    if (RUNTIME_START..RUNTIME_END).contains(&(addr as u64)) {
        return super::area::give_back(addr, len);
    }
    // SAFETY: the caller owns the range; a failure leaves it mapped, which is
    // harmless.
    let _ = unsafe { syscall(libc::SYS_munmap, [addr as usize, len, 0, 0, 0, 0]) };
}

/// Returns the pages of a range to the kernel; they read as zero afterwards.
pub fn advise_dont_need(addr: usize, len: usize) {
    advise(addr, len, libc::MADV_DONTNEED);
}

/// Keeps a range on small pages, so that touching a word costs 4 KiB, not 2 MiB.
pub fn advise_no_huge_pages(addr: usize, len: usize) {
    advise(addr, len, libc::MADV_NOHUGEPAGE);
}

fn advise(addr: usize, len: usize, advice: i32) {
    // SAFETY: used on the runtime's own ranges only; failure changes nothing.
    let _ = unsafe { syscall(libc::SYS_madvise, [addr, len, advice as usize, 0, 0, 0]) };
}

/// Gives a range its pages now. Older kernels wait until they are touched.
pub fn advise_populate(addr: usize, len: usize) {
    let start = addr.next_multiple_of(PAGE);
    let end = (addr + len) & !(PAGE - 1);
    if start < end {
        advise(start, end - start, libc::MADV_POPULATE_WRITE);
    }
}

/// Lets a range be empty in forked children. Older kernels copy it.
pub fn advise_wipe_on_fork(addr: usize, len: usize) {
    advise(addr, len, libc::MADV_WIPEONFORK);
}

/// Leaves a range out of core dumps.
pub fn advise_dont_dump(addr: usize, len: usize) {
    advise(addr, len, libc::MADV_DONTDUMP);
}

/// Which pages from `addr` on were ever written; all of them if the kernel
/// does not say. `pagemap` is the open file of that name in `/proc/self`.
pub fn present_pages(pagemap: Option<&super::File>, addr: usize, present: &mut [bool]) {
    let mut entries = [0u64; 512];
    let wanted = present.len().min(entries.len());
    let read = pagemap.is_some_and(|file| {
        let (buffer, bytes) = (entries.as_mut_ptr() as usize, wanted * 8);
        let args = [file.fd() as usize, buffer, bytes, addr / PAGE * 8, 0, 0];
        // SAFETY: the kernel fills at most `wanted` entries.
        let read = unsafe { syscall(libc::SYS_pread64, args) };
        read == Ok(bytes)
    });
    for (present, entry) in present.iter_mut().zip(entries) {
        // Bit 63: in memory; bit 62: swapped out.
        *present = !read || entry >> 62 != 0;
    }
}

/// Which pages from `addr` on are in memory: one byte a page, lowest bit.
/// `false` if the kernel does not say.
pub fn resident_pages(addr: usize, pages: &mut [u8]) -> bool {
    let args = [
        addr,
        pages.len() * PAGE,
        pages.as_mut_ptr() as usize,
        0,
        0,
        0,
    ];
    // SAFETY: the kernel writes one byte a page.
    unsafe { syscall(libc::SYS_mincore, args) }.is_ok()
}
