//! Searches in wide texts, and comparisons that are more than of one character
//! with another.

use super::wide::{Buffer, Text, WIDE, length};
use crate::intercept::library::{Call, library};
use core::ffi::c_int;
use libc::wchar_t;

/// Bytes from `start` to `found`, that character included; all up to the end if
/// nothing was found.
///
/// # Safety
/// `start` must be a wide text.
unsafe fn searched(start: Text, found: Text) -> usize {
    if found.is_null() {
        // SAFETY: passed on.
        (unsafe { length(start) } + 1) * WIDE
    } else {
        found.addr() - start.addr() + WIDE
    }
}

/// Bytes of a text and its end.
///
/// # Safety
/// It must be a wide text.
unsafe fn whole(text: Text) -> usize {
    // SAFETY: passed on.
    (unsafe { length(text) } + 1) * WIDE
}

/// Checks the reading of two texts up to where they differ by more than case.
///
/// # Safety
/// Both must be wide texts, up to `most` characters.
unsafe fn compares(call: &Call, a: Text, b: Text, most: usize) {
    call.check(|touches| {
        let lower = |c: wchar_t| match u8::try_from(c) {
            Ok(byte) => wchar_t::from(byte.to_ascii_lowercase()),
            Err(_) => c,
        };
        // SAFETY: passed on.
        let same = |i: &usize| unsafe { *a.add(*i) != 0 && lower(*a.add(*i)) == lower(*b.add(*i)) };
        let read = ((0..most).take_while(same).count() + 1).min(most) * WIDE;
        touches.reads(a, read);
        touches.reads(b, read);
    });
}

/// Checks a search in `text` for any of a set.
///
/// # Safety
/// Both must be wide texts, and `read` bytes of the first exist.
unsafe fn searches(call: &Call, text: Text, read: usize, set: Text) {
    call.check(|touches| {
        touches.reads(text, read);
        // SAFETY: passed on.
        touches.reads(set, unsafe { whole(set) });
    });
}

library! {
    fn wcsrchr(text: Text, wanted: wchar_t) -> Buffer |call, real| {
        call.check(|touches| touches.reads(text, whole(text)));
        real(text, wanted)
    }
    fn wcschrnul(text: Text, wanted: wchar_t) -> Buffer |call, real| {
        let found = real(text, wanted);
        call.check(|touches| touches.reads(text, searched(text, found)));
        found
    }
    fn wmemchr(text: Text, wanted: wchar_t, len: usize) -> Buffer |call, real| {
        let found = real(text, wanted, len);
        let read = match found.is_null() {
            true => len * WIDE,
            false => searched(text, found),
        };
        call.reads(text, read);
        found
    }
    fn wcsstr(text: Text, part: Text) -> Buffer |call, real| {
        let found = real(text, part);
        call.check(|touches| {
            touches.reads(part, whole(part));
            let read = match (found.is_null(), length(part)) {
                (true, _) | (false, 0) => searched(text, found),
                (false, behind) => found.addr() - text.addr() + behind * WIDE,
            };
            touches.reads(text, read);
        });
        found
    }
    fn wcsspn(text: Text, set: Text) -> usize |call, real| {
        let len = real(text, set);
        searches(&call, text, (len + 1) * WIDE, set);
        len
    }
    fn wcscspn(text: Text, set: Text) -> usize |call, real| {
        let len = real(text, set);
        searches(&call, text, (len + 1) * WIDE, set);
        len
    }
    fn wcspbrk(text: Text, set: Text) -> Buffer |call, real| {
        let found = real(text, set);
        searches(&call, text, searched(text, found), set);
        found
    }
    fn wcstok(text: Buffer, set: Text, rest: *mut Buffer) -> Buffer |call, real| {
        let piece = real(text, set, rest);
        call.check(|touches| {
            touches.reads(set, whole(set));
            touches.writes_one(rest);
            if !piece.is_null() {
                touches.writes(piece, whole(piece));
            }
        });
        piece
    }
    fn wcscasecmp(a: Text, b: Text) -> c_int |call, real| {
        compares(&call, a, b, usize::MAX);
        real(a, b)
    }
    fn wcsncasecmp(a: Text, b: Text, most: usize) -> c_int |call, real| {
        compares(&call, a, b, most);
        real(a, b, most)
    }
    fn wcscoll(a: Text, b: Text) -> c_int |call, real| {
        call.check(|touches| {
            touches.reads(a, whole(a));
            touches.reads(b, whole(b));
        });
        real(a, b)
    }
    fn wcsxfrm(to: Buffer, from: Text, room: usize) -> usize |call, real| {
        let len = real(to, from, room);
        call.check(|touches| {
            touches.reads(from, whole(from));
            if len < room {
                touches.writes(to, (len + 1) * WIDE);
            }
        });
        len
    }
}
