//! Functions on memory, texts and wide texts.
//!
//! Each is checked for the bytes that its answer depends on, no more: a search
//! that ends early has not read the rest.

mod bytes;
mod checked;
mod file_names;
mod multibyte;
mod narrow;
mod number;
mod token;
mod wide;
mod wide_search;

pub(super) use wide::extent_up_to as wide_extent;

#[cfg(test)]
pub(super) const NAMES: &[&[(&str, *const ())]] = &[
    bytes::NAMES,
    checked::NAMES,
    file_names::NAMES,
    multibyte::NAMES,
    narrow::NAMES,
    number::NAMES,
    token::NAMES,
    wide::NAMES,
    wide_search::NAMES,
];

use core::ffi::c_char;

type Text = *const c_char;
type Buffer = *mut c_char;

/// Finds every function the modules stand in front of.
pub(super) fn look_up_all() {
    bytes::look_up_all();
    checked::look_up_all();
    file_names::look_up_all();
    multibyte::look_up_all();
    narrow::look_up_all();
    number::look_up_all();
    token::look_up_all();
    wide::look_up_all();
    wide_search::look_up_all();
}

/// A text's length, without its end. The caller is inside the runtime.
///
/// # Safety
/// `text` must be a text.
unsafe fn length(text: Text) -> usize {
    // SAFETY: passed on.
    unsafe { libc::strlen(text) }
}

/// As [`length`], but no more than `most`.
///
/// # Safety
/// As [`length`], up to `most` bytes.
unsafe fn length_up_to(text: Text, most: usize) -> usize {
    // SAFETY: passed on.
    unsafe { libc::strnlen(text, most) }
}

/// How many bytes of a text of at most `most` a copy of it takes: with its end
/// if that is among them.
///
/// # Safety
/// As [`length_up_to`].
unsafe fn extent_up_to(text: Text, most: usize) -> usize {
    // SAFETY: passed on.
    let len = unsafe { length_up_to(text, most) };
    if len < most { len + 1 } else { most }
}

/// Bytes from `start` to `found`, that one included; all up to the end if
/// nothing was found.
///
/// # Safety
/// `start` must be a text.
unsafe fn searched(start: Text, found: Text) -> usize {
    if found.is_null() {
        // SAFETY: passed on.
        unsafe { length(start) + 1 }
    } else {
        found.addr() - start.addr() + 1
    }
}
