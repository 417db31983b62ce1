//! References to exceptions.
//!
//! Exceptions that several threads refer to (`std::exception_ptr`, or because
//! they throw it on) are counted inside the C++ library. Whoever gives up the
//! last reference destroys the exception, after all that others did before they
//! gave up theirs. A reference is given up by its destructor, or at the end of
//! the handler that caught the exception.

use super::foreign::foreign;
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
        // SAFETY: the library's function; the caller has a reference.
        unsafe { RELEASE.get()(&raw mut exception) }
    },
};

static LIBCXXABI: Library = Library {
    count: 120,
    give_up: |exception| {
        // SAFETY: as above.
        unsafe { DECREMENT.get()(exception as *mut c_void) }
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

unsafe extern "C" fn release(reference: *mut usize) {
    let pc = caller();
    // SAFETY: the reference's only member is the exception's address.
    LIBSTDCXX.give_up(unsafe { *reference }, pc);
}

unsafe extern "C" fn decrement(exception: *mut c_void) {
    let pc = caller();
    LIBCXXABI.give_up(exception as usize, pc);
}

unsafe extern "C" fn end_catch() {
    let pc = caller();
    let caught = hook(caught);
    if let Some((_, exception)) = caught
        && exception != 0
    {
        hook(|| semaphore::posting(exception, pc));
    }
    // SAFETY: the handler's own call.
    unsafe { END_CATCH.get()() };
    if let Some((library, exception)) = caught {
        library.give_up(exception, pc);
    }
}

/// Whose exceptions the program throws: not asked yet, libc++abi's,
/// libstdc++'s.
static THROWS: AtomicU8 = AtomicU8::new(0);
const BY_LIBCXXABI: u8 = 1;
const BY_LIBSTDCXX: u8 = 2;

/// The exception in whose handler the thread is, with a reference that the
/// caller has to give up; 0 if it is none of C++.
fn caught() -> (&'static Library, usize) {
    let mut throws = THROWS.load(Ordering::Relaxed);
    if throws == 0 {
        throws = if CURRENT_PRIMARY.find().is_some() {
            BY_LIBCXXABI
        } else {
            BY_LIBSTDCXX
        };
        THROWS.store(throws, Ordering::Relaxed);
    }
    // SAFETY: the library's functions, as their declarations say.
    unsafe {
        if throws == BY_LIBCXXABI {
            return (&LIBCXXABI, CURRENT_PRIMARY.get()() as usize);
        }
        let mut reference = 0;
        CURRENT.get()(&raw mut reference);
        (&LIBSTDCXX, reference)
    }
}
