//! Texts of wide characters.

use crate::intercept::library::library;
use core::ffi::c_int;
use libc::wchar_t;

pub(super) type Text = *const wchar_t;
pub(super) type Buffer = *mut wchar_t;

pub(super) const WIDE: usize = size_of::<wchar_t>();

/// A text's length in characters, without its end.
///
/// # Safety
/// `text` must be a wide text.
pub(super) unsafe fn length(text: Text) -> usize {
    // SAFETY: passed on.
    unsafe { libc::wcslen(text) }
}

/// Characters of a text of at most `most` that count, its end included.
///
/// # Safety
/// As [`length`], up to `most` characters.
pub(in crate::intercept) unsafe fn extent_up_to(text: Text, most: usize) -> usize {
    // SAFETY: passed on.
    let len = (0..most).take_while(|i| unsafe { *text.add(*i) } != 0);
    (len.count() + 1).min(most)
}

/// Characters read to find out how two texts compare.
///
/// # Safety
/// As [`length`], up to `most` characters.
pub(super) unsafe fn compared(a: Text, b: Text, most: usize) -> usize {
    // SAFETY: passed on.
    let same = |i: &usize| unsafe { *a.add(*i) != 0 && *a.add(*i) == *b.add(*i) };
    ((0..most).take_while(same).count() + 1).min(most)
}

library! {
    fn wcslen(text: Text) -> usize |call, real| {
        let len = real(text);
        call.reads(text, (len + 1) * WIDE);
        len
    }
    fn wcsnlen(text: Text, most: usize) -> usize |call, real| {
        let len = real(text, most);
        call.reads(text, (len + 1).min(most) * WIDE);
        len
    }
    fn wcswidth(text: Text, most: usize) -> c_int |call, real| {
        let width = real(text, most);
        // A character that cannot be printed ends it.
        let all = if width < 0 { 1 } else { extent_up_to(text, most) };
        call.reads(text, all * WIDE);
        width
    }
    fn wcscpy(to: Buffer, from: Text) -> Buffer |call, real| {
        call.check(|touches| {
            let len = (length(from) + 1) * WIDE;
            touches.reads(from, len);
            touches.writes(to, len);
        });
        real(to, from)
    }
    fn wcsncpy(to: Buffer, from: Text, len: usize) -> Buffer |call, real| {
        call.check(|touches| {
            touches.reads(from, extent_up_to(from, len) * WIDE);
            touches.writes(to, len * WIDE);
        });
        real(to, from, len)
    }
    fn wcpcpy(to: Buffer, from: Text) -> Buffer |call, real| {
        call.check(|touches| {
            let len = (length(from) + 1) * WIDE;
            touches.reads(from, len);
            touches.writes(to, len);
        });
        real(to, from)
    }
    fn wcpncpy(to: Buffer, from: Text, len: usize) -> Buffer |call, real| {
        call.check(|touches| {
            touches.reads(from, extent_up_to(from, len) * WIDE);
            touches.writes(to, len * WIDE);
        });
        real(to, from, len)
    }
    fn wcsncat(to: Buffer, from: Text, most: usize) -> Buffer |call, real| {
        call.check(|touches| {
            let before = length(to);
            let read = extent_up_to(from, most);
            // The end is written even if it is not among what is read.
            let is_whole = read == 0 || *from.add(read - 1) != 0;
            touches.reads(to, before * WIDE);
            touches.reads(from, read * WIDE);
            touches.writes(to.add(before), (read + usize::from(is_whole)) * WIDE);
        });
        real(to, from, most)
    }
    fn wcscat(to: Buffer, from: Text) -> Buffer |call, real| {
        call.check(|touches| {
            let (before, len) = (length(to), length(from) + 1);
            touches.reads(to, before * WIDE);
            touches.reads(from, len * WIDE);
            touches.writes(to.add(before), len * WIDE);
        });
        real(to, from)
    }
    fn wcscmp(a: Text, b: Text) -> c_int |call, real| {
        call.check(|touches| {
            let read = compared(a, b, usize::MAX) * WIDE;
            touches.reads(a, read);
            touches.reads(b, read);
        });
        real(a, b)
    }
    fn wcsncmp(a: Text, b: Text, most: usize) -> c_int |call, real| {
        call.check(|touches| {
            let read = compared(a, b, most) * WIDE;
            touches.reads(a, read);
            touches.reads(b, read);
        });
        real(a, b, most)
    }
    fn wcschr(text: Text, wanted: wchar_t) -> Buffer |call, real| {
        let found = real(text, wanted);
        call.check(|touches| {
            let len = if found.is_null() {
                (length(text) + 1) * WIDE
            } else {
                found.addr() - text.addr() + WIDE
            };
            touches.reads(text, len);
        });
        found
    }
    fn wcsdup(text: Text) -> Buffer |call, real| {
        call.check(|touches| touches.reads(text, (length(text) + 1) * WIDE));
        real(text)
    }
    fn wmemcpy(to: Buffer, from: Text, len: usize) -> Buffer |call, real| {
        call.check(|touches| {
            touches.reads(from, len * WIDE);
            touches.writes(to, len * WIDE);
        });
        real(to, from, len)
    }
    fn wmempcpy(to: Buffer, from: Text, len: usize) -> Buffer |call, real| {
        call.check(|touches| {
            touches.reads(from, len * WIDE);
            touches.writes(to, len * WIDE);
        });
        real(to, from, len)
    }
    fn wmemmove(to: Buffer, from: Text, len: usize) -> Buffer |call, real| {
        call.check(|touches| {
            touches.reads(from, len * WIDE);
            touches.writes(to, len * WIDE);
        });
        real(to, from, len)
    }
    fn wmemset(to: Buffer, value: wchar_t, len: usize) -> Buffer |call, real| {
        call.writes(to, len * WIDE);
        real(to, value, len)
    }
    fn wmemcmp(a: Text, b: Text, len: usize) -> c_int |call, real| {
        call.check(|touches| {
            let same = (0..len).take_while(|i| *a.add(*i) == *b.add(*i));
            let read = (same.count() + 1).min(len) * WIDE;
            touches.reads(a, read);
            touches.reads(b, read);
        });
        real(a, b, len)
    }
}
