//! `printf` and its relatives.

use super::arguments::{Conversions, Length};
use super::sends;
use crate::descriptor;
use crate::intercept::caller;
use crate::intercept::library::{Call, Touches, is_watched};
use crate::intercept::next::next;
use crate::intercept::stub::{code_of, interceptors};
use crate::intercept::text::wide_extent;
use crate::intercept::variadic::{List, variadic};
use core::ffi::{CStr, c_char, c_int};
use libc::FILE;

type Stream = *mut FILE;
pub(super) type Format = *const c_char;
type Buffer = *mut c_char;
pub(super) type Arguments = *mut List;

next! {
    VPRINTF = c"vprintf": fn(Format, Arguments) -> c_int;
    VFPRINTF = c"vfprintf": fn(Stream, Format, Arguments) -> c_int;
    VDPRINTF = c"vdprintf": fn(c_int, Format, Arguments) -> c_int;
    VSPRINTF = c"vsprintf": fn(Buffer, Format, Arguments) -> c_int;
    VSNPRINTF = c"vsnprintf": fn(Buffer, usize, Format, Arguments) -> c_int;
    VASPRINTF = c"vasprintf": fn(*mut Buffer, Format, Arguments) -> c_int;
    VPRINTF_CHK = c"__vprintf_chk": fn(c_int, Format, Arguments) -> c_int;
    VFPRINTF_CHK = c"__vfprintf_chk": fn(Stream, c_int, Format, Arguments) -> c_int;
    VDPRINTF_CHK = c"__vdprintf_chk": fn(c_int, c_int, Format, Arguments) -> c_int;
    VSPRINTF_CHK = c"__vsprintf_chk": fn(Buffer, c_int, usize, Format, Arguments) -> c_int;
    VSNPRINTF_CHK = c"__vsnprintf_chk":
        fn(Buffer, usize, c_int, usize, Format, Arguments) -> c_int;
    VASPRINTF_CHK = c"__vasprintf_chk": fn(*mut Buffer, c_int, Format, Arguments) -> c_int;
}

variadic! {
    "printf" (1, "rsi") => printf;
    "fprintf" (2, "rdx") => fprintf;
    "dprintf" (2, "rdx") => dprintf;
    "sprintf" (2, "rdx") => sprintf;
    "snprintf" (3, "rcx") => snprintf;
    "asprintf" (2, "rdx") => asprintf;
    "__printf_chk" (2, "rdx") => printf_chk;
    "__fprintf_chk" (3, "rcx") => fprintf_chk;
    "__dprintf_chk" (3, "rcx") => dprintf_chk;
    "__sprintf_chk" (4, "r8") => sprintf_chk;
    "__snprintf_chk" (5, "r9") => snprintf_chk;
    "__asprintf_chk" (3, "rcx") => asprintf_chk;
}

mod plain {
    use super::*;

    interceptors! {
        "vprintf" => printf,
        "vfprintf" => fprintf,
        "vdprintf" => dprintf,
        "vsprintf" => sprintf,
        "vsnprintf" => snprintf,
        "vasprintf" => asprintf,
        "__vprintf_chk" => printf_chk,
        "__vfprintf_chk" => fprintf_chk,
        "__vdprintf_chk" => dprintf_chk,
        "__vsprintf_chk" => sprintf_chk,
        "__vsnprintf_chk" => snprintf_chk,
        "__vasprintf_chk" => asprintf_chk,
    }
}

#[cfg(test)]
pub(super) const NAMES: &[(&str, *const ())] = VARIADIC;
#[cfg(test)]
pub(super) const PLAIN_NAMES: &[(&str, *const ())] = plain::NAMES;

/// Goes over a format and the arguments that it makes the function read.
///
/// # Safety
/// They must be as the format says.
pub(super) unsafe fn formatted(touches: &Touches, format: Format, arguments: Arguments) {
    // SAFETY: passed on.
    let text = unsafe { CStr::from_ptr(format).to_bytes() };
    touches.reads(format, text.len() + 1);
    // SAFETY: passed on.
    unsafe { reads_conversions(touches, text, arguments) };
}

/// Goes over the arguments that the text of a format makes the function read.
///
/// # Safety
/// They must be as the text says.
pub(super) unsafe fn reads_conversions(touches: &Touches, text: &[u8], arguments: Arguments) {
    // SAFETY: passed on; the list is left for the real function.
    let mut list = unsafe { *arguments };
    for conversion in Conversions::new(text) {
        // SAFETY: passed on.
        unsafe {
            if conversion.star {
                list.general();
            }
            let precision = match conversion.precision {
                Some(None) => usize::try_from(list.general() as i32).ok(),
                Some(given) => given,
                None => None,
            };
            match (conversion.letter, conversion.length) {
                (b's', Length::Int) => reads_up_to(touches, list.general(), precision),
                (b's', Length::Long) | (b'S', _) => {
                    reads_wide_up_to(touches, list.general(), precision);
                }
                (b'n', length) => touches.writes(list.general() as *const u8, length.integer()),
                (b'a' | b'A' | b'e' | b'E' | b'f' | b'F' | b'g' | b'G', Length::LongDouble) => {
                    list.skip_long_double();
                }
                (b'a' | b'A' | b'e' | b'E' | b'f' | b'F' | b'g' | b'G', _) => list.skip_double(),
                (b'm', _) => {}
                (b's' | b'd' | b'i' | b'o' | b'u' | b'x' | b'X' | b'c' | b'p' | b'C', _) => {
                    list.general();
                }
                _ => return,
            }
        }
    }
}

/// Reads a text of at most `most` bytes.
unsafe fn reads_up_to(touches: &Touches, text: usize, most: Option<usize>) {
    let text = text as *const c_char;
    match most {
        _ if text.is_null() => {}
        None => touches.reads_text(text),
        Some(most) => {
            // SAFETY: the program passed it for such a conversion.
            let len = unsafe { libc::strnlen(text, most) };
            touches.reads(text, if len < most { len + 1 } else { most });
        }
    }
}

/// Reads a wide text of at most `most` characters.
unsafe fn reads_wide_up_to(touches: &Touches, text: usize, most: Option<usize>) {
    let text = text as *const libc::wchar_t;
    if !text.is_null() {
        // SAFETY: the program passed it for such a conversion.
        let len = unsafe { wide_extent(text, most.unwrap_or(usize::MAX)) };
        touches.reads(text, len * size_of::<libc::wchar_t>());
    }
}

/// Checks what is printed to a stream; null is standard output.
unsafe fn to_stream(call: Call, stream: Stream, format: Format, arguments: Arguments) {
    let reads = |touches: &Touches| {
        // SAFETY: passed on.
        unsafe { formatted(touches, format, arguments) };
        if stream.is_null() {
            descriptor::sending(libc::STDOUT_FILENO, touches.function);
        }
    };
    sends(&call, stream, reads);
}

/// Checks what is read for a text in memory.
unsafe fn to_memory(call: Call, format: Format, arguments: Arguments) {
    call.check(|touches| {
        super::not_in_a_handler(touches);
        // SAFETY: passed on.
        unsafe { formatted(touches, format, arguments) };
    });
}

/// Checks the text that was written: `len` bytes and an end, in `room` bytes.
fn wrote(call: Call, to: Buffer, len: c_int, room: usize) {
    if let Ok(len) = usize::try_from(len)
        && room > 0
    {
        call.writes(to, (len + 1).min(room));
    }
}

// SAFETY of the calls below: the program's own arguments.

unsafe extern "C" fn printf(format: Format, arguments: Arguments) -> c_int {
    let pc = caller();
    // SAFETY: see above.
    unsafe {
        if is_watched() {
            let call = Call::new(pc, code_of!("printf"));
            to_stream(call, core::ptr::null_mut(), format, arguments);
        }
        VPRINTF.get()(format, arguments)
    }
}

unsafe extern "C" fn printf_chk(flag: c_int, format: Format, arguments: Arguments) -> c_int {
    let pc = caller();
    // SAFETY: see above.
    unsafe {
        if is_watched() {
            let call = Call::new(pc, code_of!("printf"));
            to_stream(call, core::ptr::null_mut(), format, arguments);
        }
        VPRINTF_CHK.get()(flag, format, arguments)
    }
}

unsafe extern "C" fn fprintf(stream: Stream, format: Format, arguments: Arguments) -> c_int {
    let pc = caller();
    // SAFETY: see above.
    unsafe {
        if is_watched() {
            to_stream(
                Call::new(pc, code_of!("fprintf")),
                stream,
                format,
                arguments,
            );
        }
        VFPRINTF.get()(stream, format, arguments)
    }
}

unsafe extern "C" fn fprintf_chk(
    stream: Stream,
    flag: c_int,
    format: Format,
    arguments: Arguments,
) -> c_int {
    let pc = caller();
    // SAFETY: see above.
    unsafe {
        if is_watched() {
            to_stream(
                Call::new(pc, code_of!("fprintf")),
                stream,
                format,
                arguments,
            );
        }
        VFPRINTF_CHK.get()(stream, flag, format, arguments)
    }
}

unsafe fn to_descriptor(call: Call, fd: c_int, format: Format, arguments: Arguments) {
    call.check(|touches| {
        super::not_in_a_handler(touches);
        // SAFETY: passed on.
        unsafe { formatted(touches, format, arguments) };
        descriptor::sending(fd, touches.function);
    });
}

unsafe extern "C" fn dprintf(fd: c_int, format: Format, arguments: Arguments) -> c_int {
    let pc = caller();
    // SAFETY: see above.
    unsafe {
        if is_watched() {
            to_descriptor(Call::new(pc, code_of!("dprintf")), fd, format, arguments);
        }
        VDPRINTF.get()(fd, format, arguments)
    }
}

unsafe extern "C" fn dprintf_chk(
    fd: c_int,
    flag: c_int,
    format: Format,
    arguments: Arguments,
) -> c_int {
    let pc = caller();
    // SAFETY: see above.
    unsafe {
        if is_watched() {
            to_descriptor(Call::new(pc, code_of!("dprintf")), fd, format, arguments);
        }
        VDPRINTF_CHK.get()(fd, flag, format, arguments)
    }
}

unsafe extern "C" fn sprintf(to: Buffer, format: Format, arguments: Arguments) -> c_int {
    let pc = caller();
    // SAFETY: see above.
    unsafe {
        if !is_watched() {
            return VSPRINTF.get()(to, format, arguments);
        }
        let call = Call::new(pc, code_of!("sprintf"));
        to_memory(call, format, arguments);
        let len = VSPRINTF.get()(to, format, arguments);
        wrote(call, to, len, usize::MAX);
        len
    }
}

unsafe extern "C" fn sprintf_chk(
    to: Buffer,
    flag: c_int,
    room: usize,
    format: Format,
    arguments: Arguments,
) -> c_int {
    let pc = caller();
    // SAFETY: see above.
    unsafe {
        if !is_watched() {
            return VSPRINTF_CHK.get()(to, flag, room, format, arguments);
        }
        let call = Call::new(pc, code_of!("sprintf"));
        to_memory(call, format, arguments);
        let len = VSPRINTF_CHK.get()(to, flag, room, format, arguments);
        wrote(call, to, len, usize::MAX);
        len
    }
}

unsafe extern "C" fn snprintf(
    to: Buffer,
    room: usize,
    format: Format,
    arguments: Arguments,
) -> c_int {
    let pc = caller();
    // SAFETY: see above.
    unsafe {
        if !is_watched() {
            return VSNPRINTF.get()(to, room, format, arguments);
        }
        let call = Call::new(pc, code_of!("snprintf"));
        to_memory(call, format, arguments);
        let len = VSNPRINTF.get()(to, room, format, arguments);
        wrote(call, to, len, room);
        len
    }
}

unsafe extern "C" fn snprintf_chk(
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
            return VSNPRINTF_CHK.get()(to, room, flag, size, format, arguments);
        }
        let call = Call::new(pc, code_of!("snprintf"));
        to_memory(call, format, arguments);
        let len = VSNPRINTF_CHK.get()(to, room, flag, size, format, arguments);
        wrote(call, to, len, room);
        len
    }
}

unsafe extern "C" fn asprintf(to: *mut Buffer, format: Format, arguments: Arguments) -> c_int {
    let pc = caller();
    // SAFETY: see above.
    unsafe {
        if is_watched() {
            let call = Call::new(pc, code_of!("asprintf"));
            to_memory(call, format, arguments);
            call.check(|touches| touches.writes_one(to));
        }
        VASPRINTF.get()(to, format, arguments)
    }
}

unsafe extern "C" fn asprintf_chk(
    to: *mut Buffer,
    flag: c_int,
    format: Format,
    arguments: Arguments,
) -> c_int {
    let pc = caller();
    // SAFETY: see above.
    unsafe {
        if is_watched() {
            let call = Call::new(pc, code_of!("asprintf"));
            to_memory(call, format, arguments);
            call.check(|touches| touches.writes_one(to));
        }
        VASPRINTF_CHK.get()(to, flag, format, arguments)
    }
}
