//! Messages to the system's log.

use super::print::{Arguments, Format, formatted};
use crate::intercept::caller;
use crate::intercept::library::{Call, is_watched};
use crate::intercept::next::next;
use crate::intercept::stub::{code_of, interceptors};
use crate::intercept::variadic::variadic;
use core::ffi::c_int;

next! {
    VSYSLOG = c"vsyslog": fn(c_int, Format, Arguments);
    VSYSLOG_CHK = c"__vsyslog_chk": fn(c_int, c_int, Format, Arguments);
}

variadic! {
    "syslog" (2, "rdx") => syslog;
    "__syslog_chk" (3, "rcx") => syslog_chk;
}

mod plain {
    use super::*;

    interceptors! {
        "vsyslog" => syslog,
        "__vsyslog_chk" => syslog_chk,
    }
}

#[cfg(test)]
pub(super) const NAMES: &[(&str, *const ())] = VARIADIC;
#[cfg(test)]
pub(super) const PLAIN_NAMES: &[(&str, *const ())] = plain::NAMES;

/// Checks what is read for a message.
///
/// # Safety
/// The arguments must be as the format says.
unsafe fn reads(pc: usize, format: Format, arguments: Arguments) {
    if is_watched() {
        Call::new(pc, code_of!("syslog")).check(|touches| {
            super::not_in_a_handler(touches);
            // SAFETY: passed on.
            unsafe { formatted(touches, format, arguments) };
        });
    }
}

unsafe extern "C" fn syslog(priority: c_int, format: Format, arguments: Arguments) {
    // SAFETY: the program's own arguments.
    unsafe {
        reads(caller(), format, arguments);
        VSYSLOG.get()(priority, format, arguments);
    }
}

unsafe extern "C" fn syslog_chk(
    priority: c_int,
    flag: c_int,
    format: Format,
    arguments: Arguments,
) {
    // SAFETY: the program's own arguments.
    unsafe {
        reads(caller(), format, arguments);
        VSYSLOG_CHK.get()(priority, flag, format, arguments);
    }
}
