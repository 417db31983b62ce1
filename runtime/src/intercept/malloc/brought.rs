//! A malloc that the program brings along: tcmalloc, jemalloc or mimalloc
//! linked in, or one of its own.
//!
//! It wins over the interceptors, and so calls of it would be seen by nobody.
//! Instrumented code therefore calls the heap's functions by other names
//! ([`racert_abi::heap`]), and the import tables of libraries are led there.
//! Such a call goes on to whoever has the function; only where malloc is not
//! the runtime's, it is noted here. How such an allocator hands memory on
//! cannot be seen, if it is not instrumented, and need not be: a new block has
//! no history. Giving a block back is a write to it and not more, because an
//! instrumented allocator keeps its lists in blocks that are free.

use super::super::{Pc, caller, callers, loader, section};
use super::by_name::{Allocate, AllocateAligned, Free, FreeAligned, call};
#[cfg(not(test))]
use super::by_name::{own, symbol};
use crate::heap;
#[cfg(not(test))]
use crate::{imports, loaded};
use core::ffi::{c_int, c_void};
#[cfg(not(test))]
use core::sync::atomic::{AtomicU8, Ordering};

/// 1 if malloc is somebody else's.
#[cfg(not(test))]
static BROUGHT: AtomicU8 = AtomicU8::new(0);

/// Defines the functions that instrumented code calls.
macro_rules! heap_calls {
    ($($name:literal => $implementation:ident),+ $(,)?) => {
        $(
            #[cfg(not(test))]
            core::arch::global_asm!(
                ".pushsection racert_stubs,\"ax\",@progbits",
                ".p2align 4",
                concat!(".weak __racert_heap_", $name),
                concat!(".type __racert_heap_", $name, ", @function"),
                concat!("__racert_heap_", $name, ":"),
                ".cfi_startproc",
                "cmp byte ptr [rip + {brought}], 0",
                "jne 2f",
                concat!("jmp qword ptr [rip + ", $name, "@GOTPCREL]"),
                "2:",
                "mov r11, qword ptr [rip + __racert_tls@gottpoff]",
                "mov r10, qword ptr [rsp]",
                "mov qword ptr fs:[r11 + {caller}], r10",
                "jmp {implementation}",
                ".cfi_endproc",
                concat!(".size __racert_heap_", $name, ", . - __racert_heap_", $name),
                ".popsection",
                brought = sym BROUGHT,
                caller = const racert_abi::tls::CALLER,
                implementation = sym $implementation,
            );
        )+

        /// The function that calls of `name` are led to.
        #[cfg(not(test))]
        fn replacement(name: &[u8]) -> Option<usize> {
            $(
                if name == $name.as_bytes() {
                    let address: usize;
                    // SAFETY: reads a link-time or load-time constant.
                    unsafe {
                        core::arch::asm!(
                            concat!("mov {}, qword ptr [rip + __racert_heap_", $name, "@GOTPCREL]"),
                            out(reg) address,
                            options(pure, readonly, nostack, preserves_flags),
                        );
                    }
                    return Some(address);
                }
            )+
            None
        }

        #[cfg(test)]
        const NAMES: &[(&str, *const ())] = &[$(($name, $implementation as *const ())),+];
    };
}

heap_calls! {
    "malloc" => malloc,
    "calloc" => calloc,
    "realloc" => realloc,
    "reallocarray" => reallocarray,
    "free" => free,
    "cfree" => cfree,
    "memalign" => memalign,
    "aligned_alloc" => aligned_alloc,
    "posix_memalign" => posix_memalign,
    "valloc" => valloc,
    "pvalloc" => pvalloc,
    "_Znwm" => new,
    "_Znam" => new_array,
    "_ZnwmRKSt9nothrow_t" => new_nothrow,
    "_ZnamRKSt9nothrow_t" => new_array_nothrow,
    "_ZnwmSt11align_val_t" => new_aligned,
    "_ZnamSt11align_val_t" => new_array_aligned,
    "_ZnwmSt11align_val_tRKSt9nothrow_t" => new_aligned_nothrow,
    "_ZnamSt11align_val_tRKSt9nothrow_t" => new_array_aligned_nothrow,
    "_ZdlPv" => delete,
    "_ZdlPvm" => delete_sized,
    "_ZdlPvRKSt9nothrow_t" => delete_nothrow,
    "_ZdlPvSt11align_val_t" => delete_aligned,
    "_ZdlPvmSt11align_val_t" => delete_sized_aligned,
    "_ZdlPvSt11align_val_tRKSt9nothrow_t" => delete_aligned_nothrow,
    "_ZdaPv" => delete_array,
    "_ZdaPvm" => delete_array_sized,
    "_ZdaPvRKSt9nothrow_t" => delete_array_nothrow,
    "_ZdaPvSt11align_val_t" => delete_array_aligned,
    "_ZdaPvmSt11align_val_t" => delete_array_sized_aligned,
    "_ZdaPvSt11align_val_tRKSt9nothrow_t" => delete_array_aligned_nothrow,
}

/// Looks whether malloc is somebody else's.
#[cfg(not(test))]
pub(super) fn start() {
    let brought = symbol!("malloc") != own!("malloc");
    BROUGHT.store(brought.into(), Ordering::Relaxed);
}

#[cfg(test)]
pub(super) fn start() {}

/// Leads the calls of the libraries that are loaded here. To be called at
/// start and after libraries were loaded.
#[cfg(not(test))]
pub(crate) fn redirect_libraries() {
    if BROUGHT.load(Ordering::Relaxed) == 0 {
        return;
    }
    let own = redirect_libraries as fn() as usize;
    let brought = symbol!("malloc") as usize;
    loaded::each(|info, headers| {
        let holds = |address| loaded::holds(info, headers, address);
        // The allocator's calls of itself are its own affair.
        if !holds(own) && !holds(brought) {
            imports::redirect(info.dlpi_addr as usize, headers, replacement);
        }
    });
}

/// The block's size, 0 if only its allocator knows.
fn usable_size(block: *mut c_void) -> usize {
    #[cfg(not(test))]
    if symbol!("malloc_usable_size") == own!("malloc_usable_size") {
        return 0;
    }
    type UsableSize = extern "C" fn(*mut c_void) -> usize;
    call!("malloc_usable_size"(block) as UsableSize)
}

/// The allocator has handed out `block`, which may be longer than what was
/// asked for: all of it was given back when it was.
fn handed_out(block: *mut c_void, size: usize, pc: Pc) -> *mut c_void {
    if block.is_null() {
        return block;
    }
    let rest = usable_size(block).saturating_sub(size);
    section(move || {
        heap::forget(block as usize + size, rest);
        heap::allocated(block as usize, size, pc);
    });
    block
}

/// `block` is about to go back to the allocator.
fn giving_back(block: *mut c_void, pc: Pc) {
    if block.is_null() {
        return;
    }
    let size = usable_size(block);
    if size != 0 {
        section(move || {
            // How such code hands a block on cannot be seen.
            if loader::is_linker(pc) || !callers::count(pc) {
                heap::forget(block as usize, size);
            } else {
                heap::returning(block as usize, size, pc);
            }
        });
    }
}

/// Defines the functions that take a size and possibly more, and hand out a
/// block.
macro_rules! allocations {
    ($($function:ident = $name:literal ($size:ident $(, $more:ident)*) as $type:ty;)+) => {
        $(
            extern "C" fn $function($size: usize $(, $more: usize)*) -> *mut c_void {
                let pc = caller();
                handed_out(call!($name($size $(, $more)*) as $type), $size, pc)
            }
        )+
    };
}

type AllocateAlignedNothrow = extern "C" fn(usize, usize, usize) -> *mut c_void;
type Reallocate = extern "C" fn(*mut c_void, usize) -> *mut c_void;
type ReallocateArray = extern "C" fn(*mut c_void, usize, usize) -> *mut c_void;
type PosixMemalign = unsafe extern "C" fn(*mut *mut c_void, usize, usize) -> c_int;
type FreeAlignedSized = extern "C" fn(*mut c_void, usize, usize);

allocations! {
    malloc = "malloc"(size) as Allocate;
    valloc = "valloc"(size) as Allocate;
    pvalloc = "pvalloc"(size) as Allocate;
    new = "_Znwm"(size) as Allocate;
    new_array = "_Znam"(size) as Allocate;
    new_nothrow = "_ZnwmRKSt9nothrow_t"(size, tag) as AllocateAligned;
    new_array_nothrow = "_ZnamRKSt9nothrow_t"(size, tag) as AllocateAligned;
    new_aligned = "_ZnwmSt11align_val_t"(size, alignment) as AllocateAligned;
    new_array_aligned = "_ZnamSt11align_val_t"(size, alignment) as AllocateAligned;
    new_aligned_nothrow = "_ZnwmSt11align_val_tRKSt9nothrow_t"(size, alignment, tag)
        as AllocateAlignedNothrow;
    new_array_aligned_nothrow = "_ZnamSt11align_val_tRKSt9nothrow_t"(size, alignment, tag)
        as AllocateAlignedNothrow;
}

extern "C" fn calloc(count: usize, size: usize) -> *mut c_void {
    let pc = caller();
    let block = call!("calloc"(count, size) as AllocateAligned);
    handed_out(block, count.wrapping_mul(size), pc)
}

extern "C" fn memalign(alignment: usize, size: usize) -> *mut c_void {
    let pc = caller();
    handed_out(
        call!("memalign"(alignment, size) as AllocateAligned),
        size,
        pc,
    )
}

extern "C" fn aligned_alloc(alignment: usize, size: usize) -> *mut c_void {
    let pc = caller();
    let block = call!("aligned_alloc"(alignment, size) as AllocateAligned);
    handed_out(block, size, pc)
}

unsafe extern "C" fn posix_memalign(out: *mut *mut c_void, alignment: usize, size: usize) -> c_int {
    let pc = caller();
    let error = call!("posix_memalign"(out, alignment, size) as PosixMemalign);
    if error == 0 {
        // SAFETY: the program's own variable, which has just been written.
        handed_out(unsafe { *out }, size, pc);
    }
    error
}

extern "C" fn realloc(block: *mut c_void, size: usize) -> *mut c_void {
    let pc = caller();
    giving_back(block, pc);
    handed_out(call!("realloc"(block, size) as Reallocate), size, pc)
}

extern "C" fn reallocarray(block: *mut c_void, count: usize, size: usize) -> *mut c_void {
    let pc = caller();
    giving_back(block, pc);
    let new = call!("reallocarray"(block, count, size) as ReallocateArray);
    handed_out(new, count.wrapping_mul(size), pc)
}

/// Defines the functions that take a block and possibly more, and give it
/// back.
macro_rules! releases {
    ($($function:ident = $name:literal (block $(, $more:ident)*) as $type:ty;)+) => {
        $(
            extern "C" fn $function(block: *mut c_void $(, $more: usize)*) {
                giving_back(block, caller());
                call!($name(block $(, $more)*) as $type);
            }
        )+
    };
}

releases! {
    free = "free"(block) as Free;
    cfree = "cfree"(block) as Free;
    delete = "_ZdlPv"(block) as Free;
    delete_sized = "_ZdlPvm"(block, size) as FreeAligned;
    delete_nothrow = "_ZdlPvRKSt9nothrow_t"(block, tag) as FreeAligned;
    delete_aligned = "_ZdlPvSt11align_val_t"(block, alignment) as FreeAligned;
    delete_sized_aligned = "_ZdlPvmSt11align_val_t"(block, size, alignment) as FreeAlignedSized;
    delete_aligned_nothrow = "_ZdlPvSt11align_val_tRKSt9nothrow_t"(block, alignment, tag)
        as FreeAlignedSized;
    delete_array = "_ZdaPv"(block) as Free;
    delete_array_sized = "_ZdaPvm"(block, size) as FreeAligned;
    delete_array_nothrow = "_ZdaPvRKSt9nothrow_t"(block, tag) as FreeAligned;
    delete_array_aligned = "_ZdaPvSt11align_val_t"(block, alignment) as FreeAligned;
    delete_array_sized_aligned = "_ZdaPvmSt11align_val_t"(block, size, alignment)
        as FreeAlignedSized;
    delete_array_aligned_nothrow = "_ZdaPvSt11align_val_tRKSt9nothrow_t"(block, alignment, tag)
        as FreeAlignedSized;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_function_that_the_pass_renames_is_here() {
        let names: Vec<&str> = NAMES.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, racert_abi::heap::FUNCTIONS);
    }
}
