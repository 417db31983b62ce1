//! References to exceptions.
//!
//! Exceptions that several threads refer to (`std::exception_ptr`, or because
//! they throw it on) are counted inside the C++ library. Whoever gives up the
//! last reference destroys the exception, after all that others did before they
//! gave up theirs. A reference is given up by its destructor, or at the end of
//! the handler that caught the exception.

use super::cxx_static::{choose, linked_in};
use super::foreign::foreign;
use super::malloc::by_name::symbol;
use super::stub::interceptors;
use super::{Pc, caller, hook};
use crate::sync::semaphore;
use core::ffi::c_void;
use core::sync::atomic::{AtomicI32, AtomicU8, Ordering};

foreign! { [c"libstdc++.so.6"]
    RELEASE = c"_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv": fn(*mut usize);
    CURRENT = c"_ZSt17current_exceptionv": fn(*mut usize) -> *mut usize;
}

foreign! { [c"libc++abi.so.1"]
    DECREMENT = c"__cxa_decrement_exception_refcount": fn(*mut c_void);
    CURRENT_PRIMARY = c"__cxa_current_primary_exception": fn() -> *mut c_void;
}

foreign! { [c"libstdc++.so.6", c"libc++abi.so.1"]
    END_CATCH = c"__cxa_end_catch": fn();
}

interceptors! {
    "_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv" => release,
    "__cxa_decrement_exception_refcount" => decrement,
    "__cxa_end_catch" => end_catch,
}

/// A C++ library: how it counts the references to exceptions.
#[derive(Clone, Copy)]
struct Library {
    /// How far in front of the exception the count is.
    count: usize,
    /// Gives up a reference.
    give_up: fn(usize),
}

static LIBSTDCXX: Library = Library {
    count: 128,
    give_up: |mut exception| {
        let linked_in = linked_in!("_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv");
        if let Some(release) = choose(linked_in, &RELEASE) {
            // SAFETY: the library's function; the caller has a reference.
            unsafe { release(&raw mut exception) }
        }
    },
};

static LIBCXXABI: Library = Library {
    count: 120,
    give_up: |exception| {
        let linked_in = linked_in!("__cxa_decrement_exception_refcount");
        if let Some(decrement) = choose(linked_in, &DECREMENT) {
            // SAFETY: as above.
            unsafe { decrement(exception as *mut c_void) }
        }
    },
};

impl Library {
    /// Gives up a reference to `exception`, by a call at `pc`. Only the last
    /// one to do so learns what the others did: who still has a reference is
    /// not ordered after who has none any more.
    fn give_up(&self, exception: usize, pc: Pc) {
        if exception == 0 {
            return;
        }
        hook(|| semaphore::posting(exception, pc));
        // SAFETY: the count of an exception that the caller refers to; its
        // place is part of the libraries' binary interface.
        let count = unsafe { AtomicI32::from_ptr((exception - self.count) as *mut i32) };
        if count.fetch_sub(1, Ordering::AcqRel) == 1 {
            hook(|| semaphore::waited(exception, pc));
            // Nobody else has it: the library does the rest.
            count.store(1, Ordering::Relaxed);
            (self.give_up)(exception);
        }
    }
}

pub(super) unsafe extern "C" fn release(reference: *mut usize) {
    let pc = caller();
    // SAFETY: the reference's only member is the exception's address.
    LIBSTDCXX.give_up(unsafe { *reference }, pc);
}

pub(super) unsafe extern "C" fn decrement(exception: *mut c_void) {
    let pc = caller();
    LIBCXXABI.give_up(exception as usize, pc);
}

pub(super) unsafe extern "C" fn end_catch() {
    let pc = caller();
    let caught = hook(caught).flatten();
    if let Some((_, exception)) = caught
        && exception != 0
    {
        hook(|| semaphore::posting(exception, pc));
    }
    let end_catch = choose(linked_in!("__cxa_end_catch"), &END_CATCH);
    let end_catch = end_catch.unwrap_or_else(|| panic!("exceptions are caught without a library"));
    // SAFETY: the handler's own call.
    unsafe { end_catch() };
    if let Some((library, exception)) = caught {
        library.give_up(exception, pc);
    }
}

/// Whose exceptions the program throws: not asked yet, libc++abi's,
/// libstdc++'s, or those of one of them without what refers to exceptions.
static THROWS: AtomicU8 = AtomicU8::new(0);
const BY_LIBCXXABI: u8 = 1;
const BY_LIBSTDCXX: u8 = 2;
const ALL_UNSHARED: u8 = 3;

/// The exception in whose handler the thread is, with a reference that the
/// caller has to give up; 0 if it is none of C++. `None` in a program that has
/// no function to refer to exceptions: none is shared there.
fn caught() -> Option<(&'static Library, usize)> {
    let primary = || choose(symbol!("__cxa_current_primary_exception"), &CURRENT_PRIMARY);
    let current = || choose(symbol!("_ZSt17current_exceptionv"), &CURRENT);
    let mut throws = THROWS.load(Ordering::Relaxed);
    if throws == 0 {
        throws = if primary().is_some() {
            BY_LIBCXXABI
        } else if current().is_some() {
            BY_LIBSTDCXX
        } else {
            ALL_UNSHARED
        };
        THROWS.store(throws, Ordering::Relaxed);
    }
    // SAFETY: the library's functions, as their declarations say.
    unsafe {
        match throws {
            BY_LIBCXXABI => Some((&LIBCXXABI, primary()?() as usize)),
            BY_LIBSTDCXX => {
                let mut reference = 0;
                current()?(&raw mut reference);
                Some((&LIBSTDCXX, reference))
            }
            _ => None,
        }
    }
}
