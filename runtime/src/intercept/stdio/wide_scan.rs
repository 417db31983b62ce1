//! `swscanf`, `wscanf` and their relatives, which read wide texts.

use super::scan::{Character, from_input, from_stream, from_text, writes_conversions};
use super::wide::{Format, WIDE, read};
use crate::intercept::caller;
use crate::intercept::library::Touches;
use crate::intercept::next::next;
use crate::intercept::stub::{code_of, interceptors};
use crate::intercept::variadic::{List, variadic};
use core::ffi::c_int;
use libc::{FILE, wchar_t};

type Stream = *mut FILE;
type Arguments = *mut List;

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

impl Character for wchar_t {
    unsafe fn reads(touches: &Touches, text: Format) {
        // SAFETY: passed on.
        touches.reads(text, unsafe { libc::wcslen(text) + 1 } * WIDE);
    }

    unsafe fn assigned(touches: &Touches, format: Format, list: List, count: c_int) {
        // SAFETY: passed on.
        unsafe {
            let narrow = read(touches, format);
            writes_conversions(touches, &narrow, list, count);
        }
    }
}

// SAFETY of the calls below: the program's own arguments.

unsafe extern "C" fn wscanf(format: Format, arguments: Arguments) -> c_int {
    // SAFETY: see above.
    unsafe { from_input((caller(), code_of!("wscanf")), &VWSCANF, format, arguments) }
}

unsafe extern "C" fn fwscanf(stream: Stream, format: Format, arguments: Arguments) -> c_int {
    // SAFETY: see above.
    unsafe {
        from_stream(
            (caller(), code_of!("fwscanf")),
            &VFWSCANF,
            stream,
            format,
            arguments,
        )
    }
}

unsafe extern "C" fn swscanf(text: Format, format: Format, arguments: Arguments) -> c_int {
    // SAFETY: see above.
    unsafe {
        from_text(
            (caller(), code_of!("swscanf")),
            &VSWSCANF,
            text,
            format,
            arguments,
        )
    }
}

unsafe extern "C" fn wscanf_99(format: Format, arguments: Arguments) -> c_int {
    // SAFETY: see above.
    unsafe {
        from_input(
            (caller(), code_of!("wscanf")),
            &VWSCANF_99,
            format,
            arguments,
        )
    }
}

unsafe extern "C" fn fwscanf_99(stream: Stream, format: Format, arguments: Arguments) -> c_int {
    // SAFETY: see above.
    unsafe {
        from_stream(
            (caller(), code_of!("fwscanf")),
            &VFWSCANF_99,
            stream,
            format,
            arguments,
        )
    }
}

unsafe extern "C" fn swscanf_99(text: Format, format: Format, arguments: Arguments) -> c_int {
    // SAFETY: see above.
    unsafe {
        from_text(
            (caller(), code_of!("swscanf")),
            &VSWSCANF_99,
            text,
            format,
            arguments,
        )
    }
}

unsafe extern "C" fn wscanf_23(format: Format, arguments: Arguments) -> c_int {
    // SAFETY: see above.
    unsafe {
        from_input(
            (caller(), code_of!("wscanf")),
            &VWSCANF_23,
            format,
            arguments,
        )
    }
}

unsafe extern "C" fn fwscanf_23(stream: Stream, format: Format, arguments: Arguments) -> c_int {
    // SAFETY: see above.
    unsafe {
        from_stream(
            (caller(), code_of!("fwscanf")),
            &VFWSCANF_23,
            stream,
            format,
            arguments,
        )
    }
}

unsafe extern "C" fn swscanf_23(text: Format, format: Format, arguments: Arguments) -> c_int {
    // SAFETY: see above.
    unsafe {
        from_text(
            (caller(), code_of!("swscanf")),
            &VSWSCANF_23,
            text,
            format,
            arguments,
        )
    }
}
