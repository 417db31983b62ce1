//! Functions of libc that touch the program's memory on its behalf.
//!
//! A report shows such an access as made by the function, called from the
//! program: the stub's own address is the innermost of the stack, and the call
//! is pushed as a frame below it while the access is checked.

use super::{Pc, callers};
use crate::tls::{self, Frame};
use crate::{access, init, thread};
use core::ffi::c_char;

/// Does the calling thread do anything that needs to be looked at?
#[inline(always)]
pub(super) fn is_watched() -> bool {
    is_heard() && !thread::alone()
}

/// As [`is_watched`], for calls that matter to a thread that is alone as well.
#[inline(always)]
pub(super) fn is_heard() -> bool {
    // SAFETY: the block belongs to this thread.
    let block = unsafe { &*tls::block() };
    init::initialised() && block.inside == 0 && block.ignore == 0
}

/// One call of such a function.
#[derive(Clone, Copy)]
pub(super) struct Call {
    pc: Pc,
    function: usize,
}

/// The memory it touches. The thread is inside the runtime.
pub(super) struct Touches {
    /// What stands for the function in a stack.
    pub(super) function: Pc,
    /// Are they looked at?
    count: bool,
}

impl Call {
    /// The function whose stub is at `function` was called from `pc`.
    #[inline(always)]
    pub(super) fn new(pc: Pc, function: usize) -> Call {
        Call { pc, function }
    }

    /// Runs `f` inside the runtime, with the call on the shadow call stack.
    #[inline]
    pub(super) fn check(&self, f: impl FnOnce(&Touches)) {
        tls::section(move || {
            let frames = push(self.pc);
            f(&Touches {
                function: self.function,
                count: callers::count(self.pc),
            });
            if let Some(frames) = frames {
                // SAFETY: this thread's own block.
                unsafe { (*tls::block()).frames = frames };
            }
        });
    }

    /// Checks that `[start, start + len)` may be read.
    #[inline]
    pub(super) fn reads<T>(&self, start: *const T, len: usize) {
        self.check(|touches| touches.reads(start, len));
    }

    /// Checks that `[start, start + len)` may be written.
    #[inline]
    pub(super) fn writes<T>(&self, start: *const T, len: usize) {
        self.check(|touches| touches.writes(start, len));
    }
}

impl Touches {
    /// It reads `[start, start + len)`.
    #[inline]
    pub(super) fn reads<T>(&self, start: *const T, len: usize) {
        if self.count {
            access::read_range(start.addr(), len, self.function);
        }
    }

    /// It writes `[start, start + len)`.
    #[inline]
    pub(super) fn writes<T>(&self, start: *const T, len: usize) {
        if self.count {
            access::write_range(start.addr(), len, self.function);
        }
    }

    /// It reads a text and its end; null is none.
    pub(super) fn reads_text(&self, text: *const c_char) {
        if !text.is_null() {
            // SAFETY: the program passed it as a text.
            self.reads(text, unsafe { libc::strlen(text) } + 1);
        }
    }

    /// It has written a text and its end; null is none.
    pub(super) fn writes_text(&self, text: *const c_char) {
        if !text.is_null() {
            // SAFETY: the function wrote it as a text.
            self.writes(text, unsafe { libc::strlen(text) } + 1);
        }
    }

    /// It writes a variable; null is none.
    pub(super) fn writes_one<T>(&self, variable: *const T) {
        if !variable.is_null() {
            self.writes(variable, size_of::<T>());
        }
    }

    /// It reads a variable; null is none.
    pub(super) fn reads_one<T>(&self, variable: *const T) {
        if !variable.is_null() {
            self.reads(variable, size_of::<T>());
        }
    }
}

/// Pushes a frame for the call at `pc`; where the shadow call stack ended
/// before.
pub(super) fn push(pc: Pc) -> Option<*mut Frame> {
    let block = tls::block();
    // SAFETY: this thread's own block and shadow call stack, which has room
    // for more calls than its real stack.
    unsafe {
        let frames = (*block).frames;
        if frames.is_null() {
            return None;
        }
        (*block).frames = frames.add(1);
        frames.write(Frame {
            return_address: pc as u64,
            context: 0,
        });
        Some(frames)
    }
}

/// Defines interceptors under their own names:
///
/// ```text
/// library! {
///     fn strlen(text: Text) -> usize |call, real| { ... }
///     [always] fn open(...) -> c_int |call, real| { ... }
/// }
/// ```
///
/// The body runs with `call`, the [`Call`], and `real`, libc's function; a call
/// that nobody needs to look at goes straight to the latter. With `always`, a
/// thread that is alone is looked at as well.
macro_rules! library {
    ($($([$always:ident])? fn $id:ident($($arg:ident: $ty:ty),* $(,)?)
        $(-> $ret:ty)? |$call:pat_param, $real:ident| $body:block)+) => {
        $(
            mod $id {
                #[allow(unused_imports, reason = "not all take types of the module")]
                use super::*;

                pub(super) static REAL: $crate::intercept::next::Next<
                    unsafe extern "C" fn($($ty),*) $(-> $ret)?,
                > = {
                    let name = concat!(stringify!($id), "\0").as_bytes();
                    let name = match core::ffi::CStr::from_bytes_with_nul(name) {
                        Ok(name) => name,
                        Err(_) => panic!("a name ends in its only zero"),
                    };
                    // SAFETY: the type is that of the C declaration.
                    unsafe { $crate::intercept::next::Next::new(name, None) }
                };
            }

            unsafe extern "C" fn $id($($arg: $ty),*) $(-> $ret)? {
                let pc = $crate::intercept::caller();
                let $real = $id::REAL.get();
                if !library!(@gate $($always)?) {
                    // SAFETY: the program's own call.
                    return unsafe { $real($($arg),*) };
                }
                let $call = $crate::intercept::library::Call::new(
                    pc,
                    $crate::intercept::stub::code_of!(stringify!($id)),
                );
                // SAFETY: the program's own arguments.
                unsafe { $body }
            }
        )+

        library!(@stubs $($id)+);

        /// Finds every function this module stands in front of.
        pub(super) fn look_up_all() {
            $( let _ = $id::REAL.find(); )+
        }
    };
    (@gate) => { $crate::intercept::library::is_watched() };
    (@gate always) => { $crate::intercept::library::is_heard() };
    (@stubs $($id:ident)+) => {
        $(
            #[cfg(not(test))]
            $crate::intercept::stub::stub_of!(stringify!($id), $id);
        )+
        #[cfg(test)]
        pub(super) const NAMES: &[(&str, *const ())] =
            &[$((stringify!($id), $id as *const ())),+];
    };
}
pub(super) use library;
