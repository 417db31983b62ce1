//! Passwords that are made unreadable, by a library of its own.

use super::foreign::foreign;
use super::library::{Call, is_watched};
use super::static_buffers::writes;
use super::stub::{code_of, interceptors};
use super::{caller, set_errno};
use crate::static_buffer::Buffer;
use core::ffi::{c_char, c_void};
use core::ptr::null_mut;

type Text = *const c_char;

foreign! { [c"libcrypt.so.1", c"libcrypt.so.2"]
    CRYPT = c"crypt": fn(Text, Text) -> *mut c_char;
    CRYPT_R = c"crypt_r": fn(Text, Text, *mut c_void) -> *mut c_char;
}

interceptors! {
    "crypt" => crypt,
    "crypt_r" => crypt_r,
}

/// A word of the memory that `crypt_r` works in stands for all of it.
const WORD: usize = 8;

/// What both do where the library is missing.
fn missing() -> *mut c_char {
    set_errno(libc::ENOSYS);
    null_mut()
}

unsafe extern "C" fn crypt(word: Text, salt: Text) -> *mut c_char {
    let call = Call::new(caller(), code_of!("crypt"));
    if is_watched() {
        call.check(|touches| {
            touches.reads_text(word);
            touches.reads_text(salt);
        });
        writes(&call, Buffer::Password);
    }
    match CRYPT.find_or_load() {
        // SAFETY: the program's own arguments.
        Some(real) => unsafe { real(word, salt) },
        None => missing(),
    }
}

unsafe extern "C" fn crypt_r(word: Text, salt: Text, memory: *mut c_void) -> *mut c_char {
    let call = Call::new(caller(), code_of!("crypt_r"));
    if is_watched() {
        call.check(|touches| {
            touches.reads_text(word);
            touches.reads_text(salt);
            touches.writes(memory, WORD);
        });
    }
    match CRYPT_R.find_or_load() {
        // SAFETY: the program's own arguments.
        Some(real) => unsafe { real(word, salt, memory) },
        None => missing(),
    }
}
