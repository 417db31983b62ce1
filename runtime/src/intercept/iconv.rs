//! Texts from one encoding to another.

use super::library::library;
use core::ffi::{c_char, c_void};

type Text = *const c_char;
/// A text, or the room for one, that is advanced.
type Rest = *mut *mut c_char;

/// A word that stands for the state of a conversion.
const STATE: usize = 8;

/// Where `rest` begins; null if there is none.
///
/// # Safety
/// `rest` must be null or a variable.
unsafe fn start(rest: Rest) -> *mut c_char {
    if rest.is_null() {
        core::ptr::null_mut()
    } else {
        // SAFETY: passed on.
        unsafe { *rest }
    }
}

library! {
    fn iconv_open(to: Text, from: Text) -> *mut c_void |call, real| {
        call.check(|touches| {
            touches.reads_text(to);
            touches.reads_text(from);
        });
        real(to, from)
    }
    fn iconv(conversion: *mut c_void, from: Rest, from_left: *mut usize, to: Rest, to_left: *mut usize) -> usize |call, real| {
        // What iconv_open returns when it fails is not one.
        if conversion.addr() == usize::MAX {
            return real(conversion, from, from_left, to, to_left);
        }
        call.writes(conversion, STATE);
        let (read, written) = (start(from), start(to));
        let result = real(conversion, from, from_left, to, to_left);
        call.check(|touches| {
            if !read.is_null() {
                touches.reads(read, (*from).addr() - read.addr());
                touches.writes_one(from);
                touches.writes_one(from_left);
            }
            if !written.is_null() {
                touches.writes(written, (*to).addr() - written.addr());
                touches.writes_one(to);
                touches.writes_one(to_left);
            }
        });
        result
    }
}
