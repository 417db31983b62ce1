//! C++'s `operator new` and `operator delete`, in all their forms.
//!
//! libstdc++'s own end in malloc and free; standing in front of them gives a
//! block the stack of whoever said `new`. A program may replace some of these
//! operators, or malloc below them, and expects the others to end in its own:
//! once any of the basic ones is not ours, all go to the real ones.

use super::super::next::next;
use super::super::stub::interceptors;
use super::super::{Pc, caller};
use super::{allocate, allocate_aligned, release};
use core::ffi::c_void;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicBool, Ordering};

next! {
    NEW = c"_Znwm": fn(usize) -> *mut c_void;
    NEW_ARRAY = c"_Znam": fn(usize) -> *mut c_void;
    NEW_NOTHROW = c"_ZnwmRKSt9nothrow_t": fn(usize, usize) -> *mut c_void;
    NEW_ARRAY_NOTHROW = c"_ZnamRKSt9nothrow_t": fn(usize, usize) -> *mut c_void;
    NEW_ALIGNED = c"_ZnwmSt11align_val_t": fn(usize, usize) -> *mut c_void;
    NEW_ARRAY_ALIGNED = c"_ZnamSt11align_val_t": fn(usize, usize) -> *mut c_void;
    NEW_ALIGNED_NOTHROW = c"_ZnwmSt11align_val_tRKSt9nothrow_t": fn(usize, usize, usize) -> *mut c_void;
    NEW_ARRAY_ALIGNED_NOTHROW = c"_ZnamSt11align_val_tRKSt9nothrow_t": fn(usize, usize, usize) -> *mut c_void;
    DELETE = c"_ZdlPv": fn(*mut c_void);
    DELETE_SIZED = c"_ZdlPvm": fn(*mut c_void, usize);
    DELETE_NOTHROW = c"_ZdlPvRKSt9nothrow_t": fn(*mut c_void, usize);
    DELETE_ALIGNED = c"_ZdlPvSt11align_val_t": fn(*mut c_void, usize);
    DELETE_SIZED_ALIGNED = c"_ZdlPvmSt11align_val_t": fn(*mut c_void, usize, usize);
    DELETE_ALIGNED_NOTHROW = c"_ZdlPvSt11align_val_tRKSt9nothrow_t": fn(*mut c_void, usize, usize);
    DELETE_ARRAY = c"_ZdaPv": fn(*mut c_void);
    DELETE_ARRAY_SIZED = c"_ZdaPvm": fn(*mut c_void, usize);
    DELETE_ARRAY_NOTHROW = c"_ZdaPvRKSt9nothrow_t": fn(*mut c_void, usize);
    DELETE_ARRAY_ALIGNED = c"_ZdaPvSt11align_val_t": fn(*mut c_void, usize);
    DELETE_ARRAY_SIZED_ALIGNED = c"_ZdaPvmSt11align_val_t": fn(*mut c_void, usize, usize);
    DELETE_ARRAY_ALIGNED_NOTHROW = c"_ZdaPvSt11align_val_tRKSt9nothrow_t": fn(*mut c_void, usize, usize);
}

interceptors! {
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

/// Set once, at start: a basic operator, malloc or free is not ours.
static REPLACED: AtomicBool = AtomicBool::new(false);

fn replaced() -> bool {
    REPLACED.load(Ordering::Relaxed)
}

/// Looks whether the program brought its own.
pub(super) fn start() {
    REPLACED.store(any_replaced(), Ordering::Relaxed);
    if replaced() {
        look_up_all();
    }
}

/// Is the function everybody calls by this name another one than our stub?
#[cfg(not(test))]
macro_rules! is_replaced {
    ($name:literal) => {{
        let (used, own): (usize, usize);
        // In assembly, because the compiler takes two names for two addresses.
        // SAFETY: reads two link-time or load-time constants.
        unsafe {
            core::arch::asm!(
                concat!("mov {used}, qword ptr [rip + ", $name, "@GOTPCREL]"),
                concat!("lea {own}, [rip + __racert_own_", $name, "]"),
                used = out(reg) used,
                own = out(reg) own,
                options(pure, readonly, nostack),
            );
        }
        used != own
    }};
}

#[cfg(not(test))]
fn any_replaced() -> bool {
    is_replaced!("malloc")
        || is_replaced!("free")
        || is_replaced!("aligned_alloc")
        || is_replaced!("_Znwm")
        || is_replaced!("_Znam")
        || is_replaced!("_ZnwmSt11align_val_t")
        || is_replaced!("_ZnamSt11align_val_t")
        || is_replaced!("_ZdlPv")
        || is_replaced!("_ZdaPv")
        || is_replaced!("_ZdlPvSt11align_val_t")
        || is_replaced!("_ZdaPvSt11align_val_t")
}

#[cfg(test)]
fn any_replaced() -> bool {
    false
}

/// Allocates, or leaves it to the real operator: when the program replaced
/// parts, and when memory is short (it calls the new-handler and throws).
#[inline(always)]
fn new_or_else(
    alignment: usize,
    size: usize,
    pc: Pc,
    real: impl Fn() -> Option<*mut c_void>,
) -> *mut c_void {
    if replaced()
        && let Some(block) = real()
    {
        return block;
    }
    let block = if alignment == 0 {
        allocate(size, pc)
    } else {
        allocate_aligned(alignment, size, pc)
    };
    if !block.is_null() {
        return block;
    }
    real().unwrap_or(null_mut())
}

/// A null from an operator that must throw: only where no C++ library is to be
/// found that could.
#[inline(always)]
fn or_abort(block: *mut c_void) -> *mut c_void {
    assert!(
        !block.is_null(),
        "operator new is out of memory and there is nobody to throw"
    );
    block
}

/// A null from an operator that may return it.
#[inline(always)]
fn or_null(block: *mut c_void) -> *mut c_void {
    block
}

/// Frees, or leaves it to the real operator.
#[inline(always)]
fn delete_or_else(block: *mut c_void, pc: Pc, real: impl FnOnce() -> Option<()>) {
    if replaced() && real().is_some() {
        return;
    }
    release(block, pc);
}

/// Defines a form of `operator new`: `name, real one, what a null becomes,
/// (parameters), alignment or 0`. All parameters are words.
macro_rules! operator_new {
    ($name:ident, $real:ident, $null:ident, ($size:ident $(, $arg:ident)*), $alignment:expr) => {
        extern "C" fn $name($size: usize $(, $arg: usize)*) -> *mut c_void {
            $null(new_or_else($alignment, $size, caller(), || {
                // SAFETY: the program's own arguments.
                Some(unsafe { $real.find()?($size $(, $arg)*) })
            }))
        }
    };
}

/// Defines a form of `operator delete`: `name, real one, (further parameters)`.
macro_rules! operator_delete {
    ($name:ident, $real:ident, ($($arg:ident),*)) => {
        extern "C" fn $name(block: *mut c_void $(, $arg: usize)*) {
            delete_or_else(block, caller(), || {
                // SAFETY: the program's own arguments.
                Some(unsafe { $real.find()?(block $(, $arg)*) })
            });
        }
    };
}

operator_new!(new, NEW, or_abort, (size), 0);
operator_new!(new_array, NEW_ARRAY, or_abort, (size), 0);
operator_new!(new_nothrow, NEW_NOTHROW, or_null, (size, tag), 0);
operator_new!(
    new_array_nothrow,
    NEW_ARRAY_NOTHROW,
    or_null,
    (size, tag),
    0
);
operator_new!(
    new_aligned,
    NEW_ALIGNED,
    or_abort,
    (size, alignment),
    alignment
);
operator_new!(
    new_array_aligned,
    NEW_ARRAY_ALIGNED,
    or_abort,
    (size, alignment),
    alignment
);
operator_new!(
    new_aligned_nothrow,
    NEW_ALIGNED_NOTHROW,
    or_null,
    (size, alignment, tag),
    alignment
);
operator_new!(
    new_array_aligned_nothrow,
    NEW_ARRAY_ALIGNED_NOTHROW,
    or_null,
    (size, alignment, tag),
    alignment
);

operator_delete!(delete, DELETE, ());
operator_delete!(delete_sized, DELETE_SIZED, (size));
operator_delete!(delete_nothrow, DELETE_NOTHROW, (tag));
operator_delete!(delete_aligned, DELETE_ALIGNED, (alignment));
operator_delete!(
    delete_sized_aligned,
    DELETE_SIZED_ALIGNED,
    (size, alignment)
);
operator_delete!(
    delete_aligned_nothrow,
    DELETE_ALIGNED_NOTHROW,
    (alignment, tag)
);
operator_delete!(delete_array, DELETE_ARRAY, ());
operator_delete!(delete_array_sized, DELETE_ARRAY_SIZED, (size));
operator_delete!(delete_array_nothrow, DELETE_ARRAY_NOTHROW, (tag));
operator_delete!(delete_array_aligned, DELETE_ARRAY_ALIGNED, (alignment));
operator_delete!(
    delete_array_sized_aligned,
    DELETE_ARRAY_SIZED_ALIGNED,
    (size, alignment)
);
operator_delete!(
    delete_array_aligned_nothrow,
    DELETE_ARRAY_ALIGNED_NOTHROW,
    (alignment, tag)
);
