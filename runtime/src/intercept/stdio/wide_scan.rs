//! `swscanf`, `wscanf` and their relatives, which read wide texts.

use super::scan::writes_conversions;
use super::variadic::{List, variadic};
use super::wide::{Format, WIDE, read};
use super::{received, uses};
use crate::descriptor;
use crate::intercept::caller;
use crate::intercept::library::{Call, Touches, is_watched};
use crate::intercept::next::{Next, next};
use crate::intercept::stub::{code_of, interceptors};
use core::ffi::c_int;
use libc::FILE;

type Stream = *mut FILE;
type Arguments = *mut List;
type FromStream = unsafe extern "C" fn(Stream, Format, Arguments) -> c_int;
type FromText = unsafe extern "C" fn(Format, Format, Arguments) -> c_int;
type FromInput = unsafe extern "C" fn(Format, Arguments) -> c_int;

next! {
    VWSCANF = c"vwscanf": fn(Format, Arguments) -> c_int;
    VFWSCANF = c"vfwscanf": fn(Stream, Format, Arguments) -> c_int;
    VSWSCANF = c"vswscanf": fn(Format, Format, Arguments) -> c_int;
    VWSCANF_99 = c"__isoc99_vwscanf": fn(Format, Arguments) -> c_int;
    VFWSCANF_99 = c"__isoc99_vfwscanf": fn(Stream, Format, Arguments) -> c_int;
    VSWSCANF_99 = c"__isoc99_vswscanf": fn(Format, Format, Arguments) -> c_int;
    VWSCANF_23 = c"__isoc23_vwscanf": fn(Format, Arguments) -> c_int;
    VFWSCANF_23 = c"__isoc23_vfwscanf": fn(Stream, Format, Arguments) -> c_int;
    VSWSCANF_23 = c"__isoc23_vswscanf": fn(Format, Format, Arguments) -> c_int;
}

variadic! {
    "wscanf" (1, "rsi") => wscanf;
    "fwscanf" (2, "rdx") => fwscanf;
    "swscanf" (2, "rdx") => swscanf;
    "__isoc99_wscanf" (1, "rsi") => wscanf_99;
    "__isoc99_fwscanf" (2, "rdx") => fwscanf_99;
    "__isoc99_swscanf" (2, "rdx") => swscanf_99;
    "__isoc23_wscanf" (1, "rsi") => wscanf_23;
    "__isoc23_fwscanf" (2, "rdx") => fwscanf_23;
    "__isoc23_swscanf" (2, "rdx") => swscanf_23;
}

mod plain {
    use super::*;

    interceptors! {
        "vwscanf" => wscanf,
        "vfwscanf" => fwscanf,
        "vswscanf" => swscanf,
        "__isoc99_vwscanf" => wscanf_99,
        "__isoc99_vfwscanf" => fwscanf_99,
        "__isoc99_vswscanf" => swscanf_99,
        "__isoc23_vwscanf" => wscanf_23,
        "__isoc23_vfwscanf" => fwscanf_23,
        "__isoc23_vswscanf" => swscanf_23,
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
unsafe fn assigned(touches: &Touches, format: Format, list: List, count: c_int) {
    // SAFETY: passed on.
    unsafe {
        let narrow = read(touches, format);
        writes_conversions(touches, &narrow, list, count);
    }
}

unsafe fn from_stream(
    pc: usize,
    real: &Next<FromStream>,
    stream: Stream,
    format: Format,
    arguments: Arguments,
) -> c_int {
    // SAFETY: the program's own arguments.
    unsafe {
        if !is_watched() {
            return real.get()(stream, format, arguments);
        }
        let (call, list) = (Call::new(pc, code_of!("fwscanf")), *arguments);
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
    text: Format,
    format: Format,
    arguments: Arguments,
) -> c_int {
    // SAFETY: the program's own arguments.
    unsafe {
        if !is_watched() {
            return real.get()(text, format, arguments);
        }
        let (call, list) = (Call::new(pc, code_of!("swscanf")), *arguments);
        call.check(|touches| touches.reads(text, (libc::wcslen(text) + 1) * WIDE));
        let count = real.get()(text, format, arguments);
        call.check(|touches| assigned(touches, format, list, count));
        count
    }
}

unsafe fn from_input(
    pc: usize,
    real: &Next<FromInput>,
    format: Format,
    arguments: Arguments,
) -> c_int {
    // SAFETY: the program's own arguments.
    unsafe {
        if !is_watched() {
            return real.get()(format, arguments);
        }
        let (call, list) = (Call::new(pc, code_of!("wscanf")), *arguments);
        let count = real.get()(format, arguments);
        call.check(|touches| {
            descriptor::received(libc::STDIN_FILENO);
            assigned(touches, format, list, count);
        });
        count
    }
}

// SAFETY of the calls below: the program's own arguments.

unsafe extern "C" fn wscanf(format: Format, arguments: Arguments) -> c_int {
    // SAFETY: see above.
    unsafe { from_input(caller(), &VWSCANF, format, arguments) }
}

unsafe extern "C" fn fwscanf(stream: Stream, format: Format, arguments: Arguments) -> c_int {
    // SAFETY: see above.
    unsafe { from_stream(caller(), &VFWSCANF, stream, format, arguments) }
}

unsafe extern "C" fn swscanf(text: Format, format: Format, arguments: Arguments) -> c_int {
    // SAFETY: see above.
    unsafe { from_text(caller(), &VSWSCANF, text, format, arguments) }
}

unsafe extern "C" fn wscanf_99(format: Format, arguments: Arguments) -> c_int {
    // SAFETY: see above.
    unsafe { from_input(caller(), &VWSCANF_99, format, arguments) }
}

unsafe extern "C" fn fwscanf_99(stream: Stream, format: Format, arguments: Arguments) -> c_int {
    // SAFETY: see above.
    unsafe { from_stream(caller(), &VFWSCANF_99, stream, format, arguments) }
}

unsafe extern "C" fn swscanf_99(text: Format, format: Format, arguments: Arguments) -> c_int {
    // SAFETY: see above.
    unsafe { from_text(caller(), &VSWSCANF_99, text, format, arguments) }
}

unsafe extern "C" fn wscanf_23(format: Format, arguments: Arguments) -> c_int {
    // SAFETY: see above.
    unsafe { from_input(caller(), &VWSCANF_23, format, arguments) }
}

unsafe extern "C" fn fwscanf_23(stream: Stream, format: Format, arguments: Arguments) -> c_int {
    // SAFETY: see above.
    unsafe { from_stream(caller(), &VFWSCANF_23, stream, format, arguments) }
}

unsafe extern "C" fn swscanf_23(text: Format, format: Format, arguments: Arguments) -> c_int {
    // SAFETY: see above.
    unsafe { from_text(caller(), &VSWSCANF_23, text, format, arguments) }
}
