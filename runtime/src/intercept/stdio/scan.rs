//! `scanf` and its relatives.

use super::arguments::{Conversion, Conversions, Length};
use super::variadic::{List, variadic};
use super::{received, uses};
use crate::descriptor;
use crate::intercept::caller;
use crate::intercept::library::{Call, Touches, is_watched};
use crate::intercept::next::{Next, next};
use crate::intercept::stub::{code_of, interceptors};
use core::ffi::{CStr, c_char, c_int};
use libc::FILE;

type Stream = *mut FILE;
type Text = *const c_char;
type Arguments = *mut List;
type FromStream = unsafe extern "C" fn(Stream, Text, Arguments) -> c_int;
type FromText = unsafe extern "C" fn(Text, Text, Arguments) -> c_int;
type FromInput = unsafe extern "C" fn(Text, Arguments) -> c_int;

next! {
    VSCANF = c"vscanf": fn(Text, Arguments) -> c_int;
    VFSCANF = c"vfscanf": fn(Stream, Text, Arguments) -> c_int;
    VSSCANF = c"vsscanf": fn(Text, Text, Arguments) -> c_int;
    VSCANF_99 = c"__isoc99_vscanf": fn(Text, Arguments) -> c_int;
    VFSCANF_99 = c"__isoc99_vfscanf": fn(Stream, Text, Arguments) -> c_int;
    VSSCANF_99 = c"__isoc99_vsscanf": fn(Text, Text, Arguments) -> c_int;
    VSCANF_23 = c"__isoc23_vscanf": fn(Text, Arguments) -> c_int;
    VFSCANF_23 = c"__isoc23_vfscanf": fn(Stream, Text, Arguments) -> c_int;
    VSSCANF_23 = c"__isoc23_vsscanf": fn(Text, Text, Arguments) -> c_int;
}

variadic! {
    "scanf" (1, "rsi") => scanf;
    "fscanf" (2, "rdx") => fscanf;
    "sscanf" (2, "rdx") => sscanf;
    "__isoc99_scanf" (1, "rsi") => scanf_99;
    "__isoc99_fscanf" (2, "rdx") => fscanf_99;
    "__isoc99_sscanf" (2, "rdx") => sscanf_99;
    "__isoc23_scanf" (1, "rsi") => scanf_23;
    "__isoc23_fscanf" (2, "rdx") => fscanf_23;
    "__isoc23_sscanf" (2, "rdx") => sscanf_23;
}

mod plain {
    use super::*;

    interceptors! {
        "vscanf" => scanf,
        "vfscanf" => fscanf,
        "vsscanf" => sscanf,
        "__isoc99_vscanf" => scanf_99,
        "__isoc99_vfscanf" => fscanf_99,
        "__isoc99_vsscanf" => sscanf_99,
        "__isoc23_vscanf" => scanf_23,
        "__isoc23_vfscanf" => fscanf_23,
        "__isoc23_vsscanf" => sscanf_23,
    }
}

#[cfg(test)]
pub(super) const NAMES: &[(&str, *const ())] = VARIADIC;
#[cfg(test)]
pub(super) const PLAIN_NAMES: &[(&str, *const ())] = plain::NAMES;

/// Goes over the format, and what its first `count` conversions have written.
///
/// # Safety
/// The arguments must be as the format says.
unsafe fn assigned(touches: &Touches, format: Text, list: List, count: c_int) {
    // SAFETY: passed on.
    let text = unsafe { CStr::from_ptr(format) }.to_bytes();
    touches.reads(format, text.len() + 1);
    // SAFETY: passed on.
    unsafe { writes_conversions(touches, text, list, count) };
}

/// Goes over what the first `count` conversions of `format` have written.
///
/// # Safety
/// The arguments must be as the format says.
pub(super) unsafe fn writes_conversions(
    touches: &Touches,
    format: &[u8],
    mut list: List,
    count: c_int,
) {
    let mut left = count.max(0);
    for conversion in Conversions::new(format).filter(|c| !c.star) {
        let counts = conversion.letter != b'n';
        if counts && left == 0 {
            return;
        }
        left -= c_int::from(counts);
        // SAFETY: passed on.
        unsafe {
            let target = list.general() as *const u8;
            touches.writes(target, size(conversion, target));
        }
    }
}

/// Bytes that a conversion has written to `target`.
unsafe fn size(conversion: Conversion, target: *const u8) -> usize {
    match (conversion.letter, conversion.length) {
        _ if conversion.allocates => 8,
        (b's' | b'[', Length::Int) => {
            // SAFETY: it has just been written.
            unsafe { libc::strlen(target.cast()) + 1 }
        }
        (b's' | b'[' | b'S', _) => 4,
        (b'c', Length::Int) => conversion.width.unwrap_or(1),
        (b'c' | b'C', _) => conversion.width.unwrap_or(1) * 4,
        (b'p', _) => 8,
        (b'a' | b'e' | b'f' | b'g' | b'A' | b'E' | b'F' | b'G', Length::Int) => 4,
        (b'a' | b'e' | b'f' | b'g' | b'A' | b'E' | b'F' | b'G', Length::LongDouble) => 16,
        (b'a' | b'e' | b'f' | b'g' | b'A' | b'E' | b'F' | b'G', _) => 8,
        (_, length) => length.integer(),
    }
}

unsafe fn from_stream(
    pc: usize,
    real: &Next<FromStream>,
    stream: Stream,
    format: Text,
    arguments: Arguments,
) -> c_int {
    // SAFETY: the program's own arguments.
    unsafe {
        if !is_watched() {
            return real.get()(stream, format, arguments);
        }
        let (call, list) = (Call::new(pc, code_of!("fscanf")), *arguments);
        uses(&call, stream);
        let count = real.get()(stream, format, arguments);
        received(&call, stream, |touches| {
            assigned(touches, format, list, count)
        });
        count
    }
}

unsafe fn from_text(
    pc: usize,
    real: &Next<FromText>,
    text: Text,
    format: Text,
    arguments: Arguments,
) -> c_int {
    // SAFETY: the program's own arguments.
    unsafe {
        if !is_watched() {
            return real.get()(text, format, arguments);
        }
        let (call, list) = (Call::new(pc, code_of!("sscanf")), *arguments);
        call.check(|touches| touches.reads_text(text));
        let count = real.get()(text, format, arguments);
        call.check(|touches| assigned(touches, format, list, count));
        count
    }
}

unsafe fn from_input(
    pc: usize,
    real: &Next<FromInput>,
    format: Text,
    arguments: Arguments,
) -> c_int {
    // SAFETY: the program's own arguments.
    unsafe {
        if !is_watched() {
            return real.get()(format, arguments);
        }
        let (call, list) = (Call::new(pc, code_of!("scanf")), *arguments);
        let count = real.get()(format, arguments);
        call.check(|touches| {
            descriptor::received(libc::STDIN_FILENO);
            assigned(touches, format, list, count);
        });
        count
    }
}

// SAFETY of the calls below: the program's own arguments.

unsafe extern "C" fn scanf(format: Text, arguments: Arguments) -> c_int {
    // SAFETY: see above.
    unsafe { from_input(caller(), &VSCANF, format, arguments) }
}

unsafe extern "C" fn scanf_99(format: Text, arguments: Arguments) -> c_int {
    // SAFETY: see above.
    unsafe { from_input(caller(), &VSCANF_99, format, arguments) }
}

unsafe extern "C" fn fscanf(stream: Stream, format: Text, arguments: Arguments) -> c_int {
    // SAFETY: see above.
    unsafe { from_stream(caller(), &VFSCANF, stream, format, arguments) }
}

unsafe extern "C" fn fscanf_99(stream: Stream, format: Text, arguments: Arguments) -> c_int {
    // SAFETY: see above.
    unsafe { from_stream(caller(), &VFSCANF_99, stream, format, arguments) }
}

unsafe extern "C" fn sscanf(text: Text, format: Text, arguments: Arguments) -> c_int {
    // SAFETY: see above.
    unsafe { from_text(caller(), &VSSCANF, text, format, arguments) }
}

unsafe extern "C" fn sscanf_99(text: Text, format: Text, arguments: Arguments) -> c_int {
    // SAFETY: see above.
    unsafe { from_text(caller(), &VSSCANF_99, text, format, arguments) }
}

unsafe extern "C" fn scanf_23(format: Text, arguments: Arguments) -> c_int {
    // SAFETY: see above.
    unsafe { from_input(caller(), &VSCANF_23, format, arguments) }
}

unsafe extern "C" fn fscanf_23(stream: Stream, format: Text, arguments: Arguments) -> c_int {
    // SAFETY: see above.
    unsafe { from_stream(caller(), &VFSCANF_23, stream, format, arguments) }
}

unsafe extern "C" fn sscanf_23(text: Text, format: Text, arguments: Arguments) -> c_int {
    // SAFETY: see above.
    unsafe { from_text(caller(), &VSSCANF_23, text, format, arguments) }
}
