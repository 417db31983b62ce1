//! Texts of bytes.

use super::{Buffer, Text, extent_up_to, length, length_up_to, searched};
use crate::intercept::library::{Call, library};
use core::ffi::{c_char, c_int};

/// Checks a copy of the text `from`, end included, to `to`.
///
/// # Safety
/// `from` must be a text.
pub(super) unsafe fn copies(call: &Call, to: Buffer, from: Text) {
    call.check(|touches| {
        // SAFETY: passed on.
        let len = unsafe { length(from) } + 1;
        touches.reads(from, len);
        touches.writes(to, len);
    });
}

/// As [`copies`], for the functions that fill up to `len`.
///
/// # Safety
/// As [`copies`], up to `len` bytes.
pub(super) unsafe fn copies_up_to(call: &Call, to: Buffer, from: Text, len: usize) {
    call.check(|touches| {
        // SAFETY: passed on.
        touches.reads(from, unsafe { extent_up_to(from, len) });
        touches.writes(to, len);
    });
}

/// Checks that at most `most` bytes of a text are put at the end of another.
///
/// # Safety
/// `to` must be a text, and `from` one up to `most` bytes.
pub(super) unsafe fn appends(call: &Call, to: Buffer, from: Text, most: usize) {
    call.check(|touches| {
        // SAFETY: passed on.
        let (before, len) = unsafe { (length(to), length_up_to(from, most)) };
        // SAFETY: passed on.
        touches.reads(from, unsafe { extent_up_to(from, most) });
        touches.reads(to, before);
        touches.writes(to.wrapping_add(before), len + 1);
    });
}

/// Checks the reading of two texts up to where they differ.
///
/// # Safety
/// Both must be texts, up to `most` bytes.
unsafe fn compares(call: &Call, a: Text, b: Text, most: usize, fold: fn(c_char) -> c_char) {
    call.check(|touches| {
        // SAFETY: passed on.
        let same = |i: usize| unsafe { *a.add(i) != 0 && fold(*a.add(i)) == fold(*b.add(i)) };
        let read = (0..most).take_while(|i| same(*i)).count();
        let read = (read + 1).min(most);
        touches.reads(a, read);
        touches.reads(b, read);
    });
}

fn as_is(byte: c_char) -> c_char {
    byte
}

fn lower(byte: c_char) -> c_char {
    (byte as u8).to_ascii_lowercase() as c_char
}

/// Checks a search in `text` for any of a set.
///
/// # Safety
/// Both must be texts, and `read` bytes of the first exist.
unsafe fn searches(call: &Call, text: Text, read: usize, set: Text) {
    call.check(|touches| {
        touches.reads(text, read);
        touches.reads_text(set);
    });
}

library! {
    fn strlen(text: Text) -> usize |call, real| {
        let len = real(text);
        call.reads(text, len + 1);
        len
    }
    fn strcpy(to: Buffer, from: Text) -> Buffer |call, real| {
        copies(&call, to, from);
        real(to, from)
    }
    fn stpcpy(to: Buffer, from: Text) -> Buffer |call, real| {
        copies(&call, to, from);
        real(to, from)
    }
    fn strncpy(to: Buffer, from: Text, len: usize) -> Buffer |call, real| {
        copies_up_to(&call, to, from, len);
        real(to, from, len)
    }
    fn stpncpy(to: Buffer, from: Text, len: usize) -> Buffer |call, real| {
        copies_up_to(&call, to, from, len);
        real(to, from, len)
    }
    fn strcat(to: Buffer, from: Text) -> Buffer |call, real| {
        appends(&call, to, from, usize::MAX);
        real(to, from)
    }
    fn strncat(to: Buffer, from: Text, len: usize) -> Buffer |call, real| {
        appends(&call, to, from, len);
        real(to, from, len)
    }
    fn strcmp(a: Text, b: Text) -> c_int |call, real| {
        compares(&call, a, b, usize::MAX, as_is);
        real(a, b)
    }
    fn strncmp(a: Text, b: Text, len: usize) -> c_int |call, real| {
        compares(&call, a, b, len, as_is);
        real(a, b, len)
    }
    fn strcasecmp(a: Text, b: Text) -> c_int |call, real| {
        compares(&call, a, b, usize::MAX, lower);
        real(a, b)
    }
    fn strncasecmp(a: Text, b: Text, len: usize) -> c_int |call, real| {
        compares(&call, a, b, len, lower);
        real(a, b, len)
    }
    fn strcoll(a: Text, b: Text) -> c_int |call, real| {
        call.check(|touches| {
            touches.reads_text(a);
            touches.reads_text(b);
        });
        real(a, b)
    }
    fn strverscmp(a: Text, b: Text) -> c_int |call, real| {
        compares(&call, a, b, usize::MAX, as_is);
        real(a, b)
    }
    fn strxfrm(to: Buffer, from: Text, room: usize) -> usize |call, real| {
        let len = real(to, from, room);
        call.check(|touches| {
            touches.reads_text(from);
            if len < room {
                touches.writes(to, len + 1);
            }
        });
        len
    }
    fn strchr(text: Text, byte: c_int) -> Buffer |call, real| {
        let found = real(text, byte);
        call.check(|touches| touches.reads(text, searched(text, found)));
        found
    }
    fn strchrnul(text: Text, byte: c_int) -> Buffer |call, real| {
        let found = real(text, byte);
        call.check(|touches| touches.reads(text, searched(text, found)));
        found
    }
    fn index(text: Text, byte: c_int) -> Buffer |call, real| {
        let found = real(text, byte);
        call.check(|touches| touches.reads(text, searched(text, found)));
        found
    }
    fn strrchr(text: Text, byte: c_int) -> Buffer |call, real| {
        call.check(|touches| touches.reads_text(text));
        real(text, byte)
    }
    fn rindex(text: Text, byte: c_int) -> Buffer |call, real| {
        call.check(|touches| touches.reads_text(text));
        real(text, byte)
    }
    fn strstr(text: Text, part: Text) -> Buffer |call, real| {
        let found = real(text, part);
        call.check(|touches| {
            touches.reads_text(part);
            let behind = if found.is_null() { 0 } else { length(part) };
            touches.reads(text, searched(text, found) - usize::from(behind > 0) + behind);
        });
        found
    }
    fn strcasestr(text: Text, part: Text) -> Buffer |call, real| {
        let found = real(text, part);
        call.check(|touches| {
            touches.reads_text(part);
            let behind = if found.is_null() { 0 } else { length(part) };
            touches.reads(text, searched(text, found) - usize::from(behind > 0) + behind);
        });
        found
    }
    fn strspn(text: Text, set: Text) -> usize |call, real| {
        let len = real(text, set);
        searches(&call, text, len + 1, set);
        len
    }
    fn strcspn(text: Text, set: Text) -> usize |call, real| {
        let len = real(text, set);
        searches(&call, text, len + 1, set);
        len
    }
    fn strpbrk(text: Text, set: Text) -> Buffer |call, real| {
        let found = real(text, set);
        call.check(|touches| {
            touches.reads(text, searched(text, found));
            touches.reads_text(set);
        });
        found
    }
    fn strdup(text: Text) -> Buffer |call, real| {
        call.check(|touches| touches.reads_text(text));
        real(text)
    }
    fn __strdup(text: Text) -> Buffer |call, real| {
        call.check(|touches| touches.reads_text(text));
        real(text)
    }
    fn strndup(text: Text, most: usize) -> Buffer |call, real| {
        call.check(|touches| touches.reads(text, extent_up_to(text, most)));
        real(text, most)
    }
}
