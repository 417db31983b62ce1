//! `scanf` and its relatives.

use super::arguments::{Conversion, Conversions, Length};
use super::{received, uses};
use crate::descriptor;
use crate::intercept::caller;
use crate::intercept::library::{Call, Touches, is_watched};
use crate::intercept::next::{Next, next};
use crate::intercept::stub::{code_of, interceptors};
use crate::intercept::variadic::{List, variadic};
use core::ffi::{CStr, c_char, c_int};
use libc::FILE;

type Stream = *mut FILE;
type Text = *const c_char;
type Arguments = *mut List;
type FromStream<C> = unsafe extern "C" fn(Stream, *const C, Arguments) -> c_int;
type FromText<C> = unsafe extern "C" fn(*const C, *const C, Arguments) -> c_int;
type FromInput<C> = unsafe extern "C" fn(*const C, Arguments) -> c_int;

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

/// What texts and formats consist of.
pub(super) trait Character: Sized {
    /// Goes over a text.
    ///
    /// # Safety
    /// It must end in null.
    unsafe fn reads(touches: &Touches, text: *const Self);

    /// Goes over the format, and what its first `count` conversions have
    /// written.
    ///
    /// # Safety
    /// The arguments must be as the format says.
    unsafe fn assigned(touches: &Touches, format: *const Self, list: List, count: c_int);
}

impl Character for c_char {
    unsafe fn reads(touches: &Touches, text: Text) {
        touches.reads_text(text);
    }

    unsafe fn assigned(touches: &Touches, format: Text, list: List, count: c_int) {
        // SAFETY: passed on.
        let text = unsafe { CStr::from_ptr(format) }.to_bytes();
        touches.reads(format, text.len() + 1);
        // SAFETY: passed on.
        unsafe { writes_conversions(touches, text, list, count) };
    }
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

/// Reads from a stream, by `real` for the function whose stub is at `function`.
///
/// # Safety
/// The program's own arguments.
pub(super) unsafe fn from_stream<C: Character>(
    (pc, function): (usize, usize),
    real: &Next<FromStream<C>>,
    stream: Stream,
    format: *const C,
    arguments: Arguments,
) -> c_int {
    // SAFETY: passed on.
    unsafe {
        if !is_watched() {
            return real.get()(stream, format, arguments);
        }
        let (call, list) = (Call::new(pc, function), *arguments);
        uses(&call, stream);
        let count = real.get()(stream, format, arguments);
        received(&call, stream, |touches| {
            C::assigned(touches, format, list, count);
        });
        count
    }
}

/// As [`from_stream`], from a text.
///
/// # Safety
/// The program's own arguments.
pub(super) unsafe fn from_text<C: Character>(
    (pc, function): (usize, usize),
    real: &Next<FromText<C>>,
    text: *const C,
    format: *const C,
    arguments: Arguments,
) -> c_int {
    // SAFETY: passed on.
    unsafe {
        if !is_watched() {
            return real.get()(text, format, arguments);
        }
        let (call, list) = (Call::new(pc, function), *arguments);
        call.check(|touches| C::reads(touches, text));
        let count = real.get()(text, format, arguments);
        call.check(|touches| C::assigned(touches, format, list, count));
        count
    }
}

/// As [`from_stream`], from the standard input.
///
/// # Safety
/// The program's own arguments.
pub(super) unsafe fn from_input<C: Character>(
    (pc, function): (usize, usize),
    real: &Next<FromInput<C>>,
    format: *const C,
    arguments: Arguments,
) -> c_int {
    // SAFETY: passed on.
    unsafe {
        if !is_watched() {
            return real.get()(format, arguments);
        }
        let (call, list) = (Call::new(pc, function), *arguments);
        let count = real.get()(format, arguments);
        call.check(|touches| {
            descriptor::received(libc::STDIN_FILENO);
            C::assigned(touches, format, list, count);
        });
        count
    }
}

// SAFETY of the calls below: the program's own arguments.

unsafe extern "C" fn scanf(format: Text, arguments: Arguments) -> c_int {
    // SAFETY: see above.
    unsafe { from_input((caller(), code_of!("scanf")), &VSCANF, format, arguments) }
}

unsafe extern "C" fn scanf_99(format: Text, arguments: Arguments) -> c_int {
    // SAFETY: see above.
    unsafe { from_input((caller(), code_of!("scanf")), &VSCANF_99, format, arguments) }
}

unsafe extern "C" fn fscanf(stream: Stream, format: Text, arguments: Arguments) -> c_int {
    // SAFETY: see above.
    unsafe {
        from_stream(
            (caller(), code_of!("fscanf")),
            &VFSCANF,
            stream,
            format,
            arguments,
        )
    }
}

unsafe extern "C" fn fscanf_99(stream: Stream, format: Text, arguments: Arguments) -> c_int {
    // SAFETY: see above.
    unsafe {
        from_stream(
            (caller(), code_of!("fscanf")),
            &VFSCANF_99,
            stream,
            format,
            arguments,
        )
    }
}

unsafe extern "C" fn sscanf(text: Text, format: Text, arguments: Arguments) -> c_int {
    // SAFETY: see above.
    unsafe {
        from_text(
            (caller(), code_of!("sscanf")),
            &VSSCANF,
            text,
            format,
            arguments,
        )
    }
}

unsafe extern "C" fn sscanf_99(text: Text, format: Text, arguments: Arguments) -> c_int {
    // SAFETY: see above.
    unsafe {
        from_text(
            (caller(), code_of!("sscanf")),
            &VSSCANF_99,
            text,
            format,
            arguments,
        )
    }
}

unsafe extern "C" fn scanf_23(format: Text, arguments: Arguments) -> c_int {
    // SAFETY: see above.
    unsafe { from_input((caller(), code_of!("scanf")), &VSCANF_23, format, arguments) }
}

unsafe extern "C" fn fscanf_23(stream: Stream, format: Text, arguments: Arguments) -> c_int {
    // SAFETY: see above.
    unsafe {
        from_stream(
            (caller(), code_of!("fscanf")),
            &VFSCANF_23,
            stream,
            format,
            arguments,
        )
    }
}

unsafe extern "C" fn sscanf_23(text: Text, format: Text, arguments: Arguments) -> c_int {
    // SAFETY: see above.
    unsafe {
        from_text(
            (caller(), code_of!("sscanf")),
            &VSSCANF_23,
            text,
            format,
            arguments,
        )
    }
}
