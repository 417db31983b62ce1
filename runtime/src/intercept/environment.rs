//! Variables of the environment, as programs and libraries see them.

use super::caller;
use super::library::{Call, is_watched};
use super::next::Next;
use super::static_buffers::{Text, reads};
use super::stub::{code_of, interceptors};
use crate::static_buffer::Buffer;
use core::ffi::{CStr, c_char};
use core::ptr::null_mut;

// SAFETY: the type is that of the C declaration.
static GETENV: Next<unsafe extern "C" fn(Text) -> *mut c_char> =
    unsafe { Next::new(c"getenv", None) };

interceptors! {
    "getenv" => getenv,
}

/// Finds the function.
pub(super) fn look_up() {
    let _ = GETENV.find();
}

unsafe extern "C" fn getenv(name: Text) -> *mut c_char {
    let pc = caller();
    if is_watched() {
        let call = Call::new(pc, code_of!("getenv"));
        call.check(|touches| touches.reads_text(name));
        reads(&call, Buffer::Environment);
    }
    // SAFETY: the program's own argument.
    let value = unsafe { GETENV.get()(name) };
    match value.is_null() {
        // SAFETY: libc has read it.
        true => unless_set(unsafe { CStr::from_ptr(name) }),
        false => value,
    }
}

/// The value of a variable that is not there. GLib asks whether its own allocator
/// is to be left out, which passes blocks from thread to thread without a word.
fn unless_set(name: &CStr) -> *mut c_char {
    match name == c"G_SLICE" {
        true => c"always-malloc".as_ptr().cast_mut(),
        false => null_mut(),
    }
}
