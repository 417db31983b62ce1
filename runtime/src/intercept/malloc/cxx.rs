//! C++'s `operator new` and `operator delete`, in all their forms.
//!
//! libstdc++'s own end in malloc and free; standing in front of them gives a
//! block the stack of whoever said `new`. A program may replace some of these
//! operators, or malloc below them, and expects the others to end in its own.
//! So, once any of the basic ones is not ours, each form calls the one the
//! standard defines it by, whoever that belongs to: arrays the single-object
//! form, sized and nothrow forms the plain one, the plain one malloc or free.

use super::super::next::next;
use super::super::stub::interceptors;
use super::super::{Pc, caller};
#[cfg(not(test))]
use super::by_name::own;
use super::by_name::{Allocate, AllocateAligned, Free, FreeAligned, call, symbol};
use super::{allocate, allocate_aligned, release};
use core::ffi::c_void;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicBool, Ordering};

// The nothrow forms have to catch what a replaced one throws, which only C++
// code can.
next! {
    NEW_NOTHROW = c"_ZnwmRKSt9nothrow_t": fn(usize, usize) -> *mut c_void;
    NEW_ARRAY_NOTHROW = c"_ZnamRKSt9nothrow_t": fn(usize, usize) -> *mut c_void;
    NEW_ALIGNED_NOTHROW = c"_ZnwmSt11align_val_tRKSt9nothrow_t":
        fn(usize, usize, usize) -> *mut c_void;
    NEW_ARRAY_ALIGNED_NOTHROW = c"_ZnamSt11align_val_tRKSt9nothrow_t":
        fn(usize, usize, usize) -> *mut c_void;
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

#[cfg(not(test))]
fn any_replaced() -> bool {
    macro_rules! any {
        ($($name:literal),+) => {{
            let mut any = false;
            $({
                any |= symbol!($name) != own!($name);
            })+
            any
        }};
    }
    any!(
        "malloc",
        "free",
        "aligned_alloc",
        "_Znwm",
        "_Znam",
        "_ZnwmSt11align_val_t",
        "_ZnamSt11align_val_t",
        "_ZdlPv",
        "_ZdaPv",
        "_ZdlPvm",
        "_ZdaPvm",
        "_ZdlPvSt11align_val_t",
        "_ZdaPvSt11align_val_t"
    )
}

#[cfg(test)]
fn any_replaced() -> bool {
    false
}

/// Allocates; the alignment is 0 for none in particular. Null if there is no
/// memory.
#[inline(always)]
fn try_new(size: usize, alignment: usize, pc: Pc) -> *mut c_void {
    match alignment {
        0 => allocate(size, pc),
        _ if alignment.is_power_of_two() => allocate_aligned(alignment, size, pc),
        _ => null_mut(),
    }
}

/// Out of memory: what the standard wants to happen then. The program's
/// new-handler may find some, or the C++ library throws `bad_alloc`.
#[cold]
fn retry(attempt: impl Fn() -> *mut c_void) -> *mut c_void {
    let get_handler = symbol!("_ZSt15get_new_handlerv");
    let throw = symbol!("_ZSt17__throw_bad_allocv");
    assert!(
        !get_handler.is_null() && !throw.is_null(),
        "operator new is out of memory and there is no C++ library to throw bad_alloc"
    );
    loop {
        // SAFETY: std::get_new_handler and what it returns.
        unsafe {
            let get_handler: extern "C" fn() -> Option<extern "C" fn()> =
                core::mem::transmute(get_handler);
            match get_handler() {
                Some(handler) => handler(),
                None => {
                    let throw: extern "C" fn() -> ! = core::mem::transmute(throw);
                    throw()
                }
            }
        }
        let block = attempt();
        if !block.is_null() {
            return block;
        }
    }
}

#[inline(always)]
fn or_retry(attempt: impl Fn() -> *mut c_void) -> *mut c_void {
    let block = attempt();
    if block.is_null() {
        retry(attempt)
    } else {
        block
    }
}

extern "C" fn new(size: usize) -> *mut c_void {
    let pc = caller();
    if replaced() {
        return or_retry(|| call!("malloc"(size.max(1)) as Allocate));
    }
    or_retry(|| try_new(size, 0, pc))
}

extern "C" fn new_array(size: usize) -> *mut c_void {
    let pc = caller();
    if replaced() {
        return call!("_Znwm"(size) as Allocate);
    }
    or_retry(|| try_new(size, 0, pc))
}

extern "C" fn new_aligned(size: usize, alignment: usize) -> *mut c_void {
    let pc = caller();
    if replaced() {
        // aligned_alloc wants a multiple of the alignment.
        return or_retry(|| match size.max(1).checked_next_multiple_of(alignment) {
            Some(size) => call!("aligned_alloc"(alignment, size) as AllocateAligned),
            None => null_mut(),
        });
    }
    or_retry(|| try_new(size, alignment, pc))
}

extern "C" fn new_array_aligned(size: usize, alignment: usize) -> *mut c_void {
    let pc = caller();
    if replaced() {
        return call!("_ZnwmSt11align_val_t"(size, alignment) as AllocateAligned);
    }
    or_retry(|| try_new(size, alignment, pc))
}

/// Defines a nothrow form. When memory is short, the real one calls the
/// new-handler and catches what it throws; `$plain` stands in where a program
/// replaced operators and has no real ones.
macro_rules! operator_new_nothrow {
    ($name:ident($($arg:ident),+), $alignment:expr, $real:ident, $plain:expr) => {
        extern "C" fn $name(size: usize $(, $arg: usize)+) -> *mut c_void {
            let pc = caller();
            if !replaced() {
                let block = try_new(size, $alignment, pc);
                if !block.is_null() {
                    return block;
                }
            }
            match $real.find() {
                // SAFETY: the program's own arguments.
                Some(real) => unsafe { real(size $(, $arg)+) },
                None if replaced() => $plain(size, $alignment),
                None => null_mut(),
            }
        }
    };
}

fn plain_new(size: usize, _: usize) -> *mut c_void {
    call!("_Znwm"(size) as Allocate)
}

fn plain_new_aligned(size: usize, alignment: usize) -> *mut c_void {
    call!("_ZnwmSt11align_val_t"(size, alignment) as AllocateAligned)
}

operator_new_nothrow!(new_nothrow(tag), 0, NEW_NOTHROW, plain_new);
operator_new_nothrow!(new_array_nothrow(tag), 0, NEW_ARRAY_NOTHROW, plain_new);
operator_new_nothrow!(
    new_aligned_nothrow(alignment, tag),
    alignment,
    NEW_ALIGNED_NOTHROW,
    plain_new_aligned
);
operator_new_nothrow!(
    new_array_aligned_nothrow(alignment, tag),
    alignment,
    NEW_ARRAY_ALIGNED_NOTHROW,
    plain_new_aligned
);

/// Defines a form of `operator delete` by the one it ends in.
macro_rules! operator_delete {
    ($name:ident($($arg:ident),*) => $next:literal($($passed:ident),*) as $type:ty) => {
        extern "C" fn $name(block: *mut c_void $(, $arg: usize)*) {
            let pc = caller();
            if replaced() {
                call!($next(block $(, $passed)*) as $type);
            } else {
                release(block, pc);
            }
        }
    };
}

operator_delete!(delete() => "free"() as Free);
operator_delete!(delete_sized(_size) => "_ZdlPv"() as Free);
operator_delete!(delete_nothrow(_tag) => "_ZdlPv"() as Free);
operator_delete!(delete_aligned(_alignment) => "free"() as Free);
operator_delete!(delete_sized_aligned(_size, alignment) =>
    "_ZdlPvSt11align_val_t"(alignment) as FreeAligned);
operator_delete!(delete_aligned_nothrow(alignment, _tag) =>
    "_ZdlPvSt11align_val_t"(alignment) as FreeAligned);
operator_delete!(delete_array() => "_ZdlPv"() as Free);
operator_delete!(delete_array_sized(_size) => "_ZdaPv"() as Free);
operator_delete!(delete_array_nothrow(_tag) => "_ZdaPv"() as Free);
operator_delete!(delete_array_aligned(alignment) =>
    "_ZdlPvSt11align_val_t"(alignment) as FreeAligned);
operator_delete!(delete_array_sized_aligned(_size, alignment) =>
    "_ZdaPvSt11align_val_t"(alignment) as FreeAligned);
operator_delete!(delete_array_aligned_nothrow(alignment, _tag) =>
    "_ZdaPvSt11align_val_t"(alignment) as FreeAligned);
