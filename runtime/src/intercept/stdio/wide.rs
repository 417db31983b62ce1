//! `swprintf`, `wprintf` and their relatives, which write wide texts.

use super::print::{Arguments, reads_conversions};
use super::sends;
use crate::descriptor;
use crate::intercept::caller;
use crate::intercept::library::{Call, Touches, is_watched};
use crate::intercept::next::next;
use crate::intercept::stub::{code_of, interceptors};
use crate::intercept::variadic::variadic;
use alloc::vec::Vec;
use core::ffi::c_int;
use libc::{FILE, wchar_t};

pub(super) type Format = *const wchar_t;
type Buffer = *mut wchar_t;
type Stream = *mut FILE;

pub(super) const WIDE: usize = size_of::<wchar_t>();

next! {
    VSWPRINTF = c"vswprintf": fn(Buffer, usize, Format, Arguments) -> c_int;
    VSWPRINTF_CHK = c"__vswprintf_chk":
        fn(Buffer, usize, c_int, usize, Format, Arguments) -> c_int;
    VWPRINTF = c"vwprintf": fn(Format, Arguments) -> c_int;
    VFWPRINTF = c"vfwprintf": fn(Stream, Format, Arguments) -> c_int;
}

variadic! {
    "swprintf" (3, "rcx") => swprintf;
    "__swprintf_chk" (5, "r9") => swprintf_chk;
    "wprintf" (1, "rsi") => wprintf;
    "fwprintf" (2, "rdx") => fwprintf;
}

mod plain {
    use super::*;

    interceptors! {
        "vswprintf" => swprintf,
        "__vswprintf_chk" => swprintf_chk,
        "vwprintf" => wprintf,
        "vfwprintf" => fwprintf,
    }
}

#[cfg(test)]
pub(super) const NAMES: &[(&str, *const ())] = VARIADIC;
#[cfg(test)]
pub(super) const PLAIN_NAMES: &[(&str, *const ())] = plain::NAMES;

/// Checks the reading of a format; its conversions are of characters that one
/// byte has room for.
///
/// # Safety
/// It must be a wide text.
pub(super) unsafe fn read(touches: &Touches, format: Format) -> Vec<u8> {
    // SAFETY: passed on.
    let text = unsafe { core::slice::from_raw_parts(format, libc::wcslen(format)) };
    touches.reads(format, (text.len() + 1) * WIDE);
    let narrow = |c: &wchar_t| u8::try_from(*c).unwrap_or(b'?');
    text.iter().map(narrow).collect()
}

/// Checks what is read for the text.
///
/// # Safety
/// The arguments must be as the format says.
unsafe fn formatted(touches: &Touches, format: Format, arguments: Arguments) {
    // SAFETY: passed on.
    let narrow = unsafe { read(touches, format) };
    // SAFETY: passed on.
    unsafe { reads_conversions(touches, &narrow, arguments) };
}

/// As [`formatted`], for a text in memory.
///
/// # Safety
/// The same.
unsafe fn to_memory(call: Call, format: Format, arguments: Arguments) {
    call.check(|touches| {
        super::not_in_a_handler(touches);
        // SAFETY: passed on.
        unsafe { formatted(touches, format, arguments) };
    });
}

/// Checks the text that was written: `len` characters and an end.
fn wrote(call: Call, to: Buffer, len: c_int) {
    if let Ok(len) = usize::try_from(len) {
        call.writes(to, (len + 1) * WIDE);
    }
}

// SAFETY of the calls below: the program's own arguments.

unsafe extern "C" fn swprintf(
    to: Buffer,
    room: usize,
    format: Format,
    arguments: Arguments,
) -> c_int {
    let pc = caller();
    // SAFETY: see above.
    unsafe {
        if !is_watched() {
            return VSWPRINTF.get()(to, room, format, arguments);
        }
        let call = Call::new(pc, code_of!("swprintf"));
        to_memory(call, format, arguments);
        let len = VSWPRINTF.get()(to, room, format, arguments);
        wrote(call, to, len);
        len
    }
}

unsafe extern "C" fn swprintf_chk(
    to: Buffer,
    room: usize,
    flag: c_int,
    size: usize,
    format: Format,
    arguments: Arguments,
) -> c_int {
    let pc = caller();
    // SAFETY: see above.
    unsafe {
        if !is_watched() {
            return VSWPRINTF_CHK.get()(to, room, flag, size, format, arguments);
        }
        let call = Call::new(pc, code_of!("swprintf"));
        to_memory(call, format, arguments);
        let len = VSWPRINTF_CHK.get()(to, room, flag, size, format, arguments);
        wrote(call, to, len);
        len
    }
}

unsafe extern "C" fn wprintf(format: Format, arguments: Arguments) -> c_int {
    let pc = caller();
    // SAFETY: see above.
    unsafe {
        if is_watched() {
            Call::new(pc, code_of!("wprintf")).check(|touches| {
                super::not_in_a_handler(touches);
                formatted(touches, format, arguments);
                descriptor::sending(libc::STDOUT_FILENO, touches.function);
            });
        }
        VWPRINTF.get()(format, arguments)
    }
}

unsafe extern "C" fn fwprintf(stream: Stream, format: Format, arguments: Arguments) -> c_int {
    let pc = caller();
    // SAFETY: see above.
    unsafe {
        if is_watched() {
            let call = Call::new(pc, code_of!("fwprintf"));
            sends(&call, stream, |touches| {
                formatted(touches, format, arguments)
            });
        }
        VFWPRINTF.get()(stream, format, arguments)
    }
}
