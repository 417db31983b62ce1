//! The malloc family.
//!
//! Blocks come from libc's allocator with a [`header`] in front of them; the
//! [`bitmap`] says which addresses are blocks of ours. Calls made before the
//! runtime started, or by libc for itself, get libc's blocks as they are, and
//! either kind may be given back at any time.

mod bitmap;
pub(super) mod brought;
pub(super) mod by_name;
mod cxx;
mod header;

#[cfg(test)]
pub(super) use cxx::NAMES as CXX_NAMES;

use super::next::next;
use super::stub::interceptors;
use super::{Pc, caller, section, set_errno};
use crate::os::{self, Errno};
use crate::signal::misuse;
use crate::{heap, init};
use bitmap::Bitmap;
use core::cell::Cell;
use core::ffi::{c_int, c_void};
use core::ptr::{copy_nonoverlapping, null_mut};
use header::Header;

/// malloc's alignment.
const ALIGNMENT: usize = 16;

static BLOCKS: Bitmap = Bitmap::new();

// Linked directly: the first calls come before `dlsym` works.
unsafe extern "C" {
    fn __libc_malloc(size: usize) -> *mut c_void;
    fn __libc_calloc(count: usize, size: usize) -> *mut c_void;
    fn __libc_realloc(block: *mut c_void, size: usize) -> *mut c_void;
    fn __libc_memalign(alignment: usize, size: usize) -> *mut c_void;
    fn __libc_free(block: *mut c_void);
}

next! {
    USABLE_SIZE = c"malloc_usable_size": fn(*mut c_void) -> usize;
}

interceptors! {
    "malloc" => malloc,
    "calloc" => calloc,
    "realloc" => realloc,
    "reallocarray" => reallocarray,
    "free" => free,
    "cfree" => free,
    "memalign" => memalign,
    "aligned_alloc" => memalign,
    "posix_memalign" => posix_memalign,
    "valloc" => valloc,
    "pvalloc" => pvalloc,
    "malloc_usable_size" => malloc_usable_size,
}

/// Reserves the map of blocks; from now on allocations are tracked.
pub(super) fn start() -> Result<(), Errno> {
    cxx::start();
    brought::start();
    BLOCKS.reserve()
}

/// A live heap block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// First byte.
    pub start: usize,
    /// Size the program asked for.
    pub size: usize,
    /// Where it was allocated: what [`heap::stack_id`] returned.
    pub stack: u32,
    /// Who allocated it: what [`heap::thread_id`] returned.
    pub thread: u32,
}

/// The live heap block that `addr` lies in. A block of size 0 is taken as one
/// byte long.
pub fn find_block(addr: usize) -> Option<Block> {
    let start = BLOCKS.last_start(addr)?;
    let header = Header::of(start);
    // Another thread may be giving the block back right now; the kernel knows
    // nothing of pages that are gone.
    if !os::resident_pages(header as usize & !(os::PAGE - 1), &mut [0]) {
        return None;
    }
    // SAFETY: readable, and any bytes make a header.
    let header = unsafe { header.read_volatile() };
    let inside = header.is_intact() && addr - start < header.size().max(1);
    inside.then(|| Block {
        start,
        size: header.size(),
        stack: header.stack,
        thread: header.thread,
    })
}

/// Makes libc's block at `raw` the program's, `offset` bytes further on. The
/// caller has entered the runtime.
#[inline(always)]
fn hand_out(raw: *mut c_void, offset: usize, size: usize, pc: Pc) -> *mut c_void {
    if raw.is_null() {
        return raw;
    }
    let block = raw as usize + offset;
    let header = Header::new(size, offset, heap::stack_id(pc), heap::thread_id());
    // SAFETY: libc's block has `offset` bytes in front of the program's.
    unsafe { Header::of(block).write(header) };
    heap::allocated(block, size, pc);
    BLOCKS.mark(block, size);
    block as *mut c_void
}

/// As [`hand_out`], when the runtime switched itself off in the middle of it.
#[cold]
fn hand_out_unseen(raw: *mut c_void, offset: usize, size: usize) -> *mut c_void {
    if raw.is_null() {
        return raw;
    }
    let block = raw as usize + offset;
    // SAFETY: as there.
    unsafe { Header::of(block).write(Header::new(size, offset, 0, 0)) };
    BLOCKS.mark(block, size);
    block as *mut c_void
}

/// Gets a block of `offset + size` bytes by `real` and hands it out; by
/// `plain`, as it is, if the call is to be left alone.
#[inline(always)]
fn get(
    (offset, size): (usize, usize),
    pc: Pc,
    real: impl FnOnce(usize) -> *mut c_void,
    plain: impl FnOnce() -> *mut c_void,
) -> *mut c_void {
    let got = &Cell::new(None);
    let block = section(move || get_inside((offset, size), pc, real, got));
    match (block, got.get()) {
        (Some(block), _) => block,
        (None, Some(raw)) => hand_out_unseen(raw, offset, size),
        (None, None) => untracked(plain(), size),
    }
}

/// A block of libc's that is handed out as it is.
fn untracked(block: *mut c_void, size: usize) -> *mut c_void {
    if init::initialised() && !block.is_null() {
        heap::untracked(block as usize, size);
    }
    block
}

fn out_of_memory() -> *mut c_void {
    set_errno(libc::ENOMEM);
    null_mut()
}

/// `size` plus what goes in front, if libc could possibly grant it.
#[inline(always)]
fn with_offset(size: usize, offset: usize) -> Option<usize> {
    if size > header::MAX_BLOCK {
        return None;
    }
    size.checked_add(offset)
}

#[inline(never)]
fn get_inside(
    (offset, size): (usize, usize),
    pc: Pc,
    real: impl FnOnce(usize) -> *mut c_void,
    got: &Cell<Option<*mut c_void>>,
) -> *mut c_void {
    let Some(total) = with_offset(size, offset) else {
        return out_of_memory();
    };
    let raw = real(total);
    got.set(Some(raw));
    hand_out(raw, offset, size, pc)
}

/// `malloc`, for a caller at `pc`.
#[inline(always)]
fn allocate(size: usize, pc: Pc) -> *mut c_void {
    may_be_interrupted("malloc", pc);
    get(
        (header::SIZE, size),
        pc,
        // SAFETY: any size is valid.
        |total| unsafe { __libc_malloc(total) },
        // SAFETY: as above.
        || unsafe { __libc_malloc(size) },
    )
}

/// `memalign`, for a caller at `pc`; the alignment is a power of two.
fn allocate_aligned(alignment: usize, size: usize, pc: Pc) -> *mut c_void {
    if alignment <= ALIGNMENT {
        return allocate(size, pc);
    }
    may_be_interrupted("an aligned malloc", pc);
    get(
        (alignment, size),
        pc,
        // SAFETY: a power of two.
        |total| unsafe { __libc_memalign(alignment, total) },
        // SAFETY: as above.
        || unsafe { __libc_memalign(alignment, size) },
    )
}

/// The header of the block at `block` if it is one of ours.
#[inline(always)]
fn header_of(block: *mut c_void) -> Option<Header> {
    if !BLOCKS.is_marked(block as usize) {
        return None;
    }
    // SAFETY: our blocks have headers.
    let header = unsafe { Header::of(block as usize).read() };
    header.is_intact().then_some(header)
}

/// `free`, for a caller at `pc`. What is no block at all, or was written over,
/// is left to libc's own checks.
#[inline(always)]
fn release(block: *mut c_void, pc: Pc) {
    if block.is_null() {
        return;
    }
    may_be_interrupted("free", pc);
    let mut raw = block;
    if let Some(header) = header_of(block) {
        section(move || release_inside(block as usize, header.size(), pc));
        // Of two threads that free one block only the first gets through.
        if BLOCKS.unmark(block as usize) {
            raw = (block as usize - header.offset()) as *mut c_void;
        }
    }
    // SAFETY: as valid as the program's call.
    unsafe { __libc_free(raw) }
}

#[inline(never)]
fn release_inside(block: usize, size: usize, pc: Pc) {
    // How such code hands a block on cannot be seen.
    if super::loader::is_linker(pc) || !super::callers::count(pc) {
        heap::forget(block, size);
    } else {
        heap::freeing(block, size, pc);
    }
}

/// `realloc` of a block of ours. For the detector this frees the old block and
/// allocates a new one, wherever libc puts it.
fn resize(block: *mut c_void, header: Header, size: usize, pc: Pc) -> *mut c_void {
    may_be_interrupted("realloc", pc);
    if header.offset() != header::SIZE {
        return move_to_new(block, header.size(), size, pc);
    }
    let got = &Cell::new(None);
    let resized = section(move || {
        let Some(total) = with_offset(size, header::SIZE) else {
            return out_of_memory();
        };
        heap::freeing(block as usize, header.size(), pc);
        if !BLOCKS.unmark(block as usize) {
            // SAFETY: freed by another thread meanwhile; libc complains.
            return unsafe { __libc_realloc(block, size) };
        }
        // SAFETY: libc's block starts in front of the header.
        let raw = unsafe { __libc_realloc(block.byte_sub(header::SIZE), total) };
        got.set(Some(raw));
        if raw.is_null() {
            // The old block lives on.
            BLOCKS.mark(block as usize, header.size());
            heap::allocated(block as usize, header.size(), pc);
            return raw;
        }
        hand_out(raw, header::SIZE, size, pc)
    });
    match (resized, got.get()) {
        (Some(block), _) => block,
        (None, Some(raw)) => hand_out_unseen(raw, header::SIZE, size),
        (None, None) => move_to_new(block, header.size(), size, pc),
    }
}

/// `realloc` the long way: for blocks of large alignment, and for calls that
/// are not tracked.
fn move_to_new(block: *mut c_void, old_size: usize, size: usize, pc: Pc) -> *mut c_void {
    let new = allocate(size, pc);
    if !new.is_null() {
        // SAFETY: both blocks are at least that long, and distinct.
        unsafe { copy_nonoverlapping(block.cast::<u8>(), new.cast(), old_size.min(size)) };
        release(block, pc);
    }
    new
}

fn reallocate(block: *mut c_void, size: usize, pc: Pc) -> *mut c_void {
    if block.is_null() {
        return allocate(size, pc);
    }
    match header_of(block) {
        // As glibc does it.
        Some(_) if size == 0 => {
            release(block, pc);
            null_mut()
        }
        Some(header) => resize(block, header, size, pc),
        // SAFETY: libc's block, or none at all.
        None => unsafe { __libc_realloc(block, size) },
    }
}

/// Nothing here may be called by a signal handler, which may have interrupted
/// it.
#[inline(always)]
fn may_be_interrupted(function: &str, pc: Pc) {
    if misuse::in_handler() {
        section(move || misuse::unsafe_call(function, pc));
    }
}

extern "C" fn malloc(size: usize) -> *mut c_void {
    allocate(size, caller())
}

extern "C" fn calloc(count: usize, size: usize) -> *mut c_void {
    let pc = caller();
    may_be_interrupted("calloc", pc);
    let Some(bytes) = count.checked_mul(size) else {
        return out_of_memory();
    };
    get(
        (header::SIZE, bytes),
        pc,
        // SAFETY: any sizes are valid.
        |total| unsafe { __libc_calloc(1, total) },
        // SAFETY: as above.
        || unsafe { __libc_calloc(count, size) },
    )
}

extern "C" fn realloc(block: *mut c_void, size: usize) -> *mut c_void {
    reallocate(block, size, caller())
}

extern "C" fn reallocarray(block: *mut c_void, count: usize, size: usize) -> *mut c_void {
    let pc = caller();
    match count.checked_mul(size) {
        Some(size) => reallocate(block, size, pc),
        None => out_of_memory(),
    }
}

extern "C" fn free(block: *mut c_void) {
    release(block, caller());
}

extern "C" fn memalign(alignment: usize, size: usize) -> *mut c_void {
    let pc = caller();
    match alignment.checked_next_power_of_two() {
        Some(alignment) => allocate_aligned(alignment, size, pc),
        None => {
            set_errno(libc::EINVAL);
            null_mut()
        }
    }
}

unsafe extern "C" fn posix_memalign(out: *mut *mut c_void, alignment: usize, size: usize) -> c_int {
    let pc = caller();
    if !alignment.is_power_of_two() || !alignment.is_multiple_of(size_of::<*mut c_void>()) {
        return libc::EINVAL;
    }
    let block = allocate_aligned(alignment, size, pc);
    if block.is_null() {
        return libc::ENOMEM;
    }
    // SAFETY: the program's own variable.
    unsafe { *out = block };
    0
}

extern "C" fn valloc(size: usize) -> *mut c_void {
    allocate_aligned(os::PAGE, size, caller())
}

extern "C" fn pvalloc(size: usize) -> *mut c_void {
    let pc = caller();
    match size.checked_next_multiple_of(os::PAGE) {
        Some(size) => allocate_aligned(os::PAGE, size, pc),
        None => out_of_memory(),
    }
}

extern "C" fn malloc_usable_size(block: *mut c_void) -> usize {
    match header_of(block) {
        Some(header) => header.size(),
        // SAFETY: as valid as the program's call.
        None => unsafe { USABLE_SIZE.get()(block) },
    }
}
