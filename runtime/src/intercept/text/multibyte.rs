//! Texts of wide characters and their bytes.

use super::wide::{Buffer as WideBuffer, Text as WideText, WIDE, extent_up_to as wide_extent};
use super::{Buffer, Text, extent_up_to};
use crate::intercept::library::{Call, library};
use core::ffi::{c_int, c_void};
use libc::wchar_t;

/// The state of a conversion; the function has one of its own if it is null.
type State = *mut c_void;
/// Of a `mbstate_t`.
const STATE: usize = 8;
/// What conversions return for a character that is none, and for one that is
/// not complete.
const INVALID: usize = usize::MAX;
const INCOMPLETE: usize = usize::MAX - 1;

fn changes(call: &Call, state: State) {
    if !state.is_null() {
        call.writes(state, STATE);
    }
}

/// Checks that `count` wide characters were made of `text`, with an end if
/// there was room.
///
/// # Safety
/// `text` must be a text, up to `room` bytes if that is less.
unsafe fn widened(call: &Call, to: WideBuffer, text: Text, room: usize, count: usize) {
    call.check(|touches| {
        // Each character has a byte at least.
        let most = match (to.is_null(), count) {
            (_, INVALID) => 1,
            (true, _) => usize::MAX,
            (false, _) => room,
        };
        // SAFETY: passed on.
        let read = unsafe { extent_up_to(text, most) };
        touches.reads(text, read);
        if !to.is_null() && count != INVALID {
            touches.writes(to, (count + 1).min(room) * WIDE);
        }
    });
}

/// As [`widened`], of `count` bytes made of a wide text.
///
/// # Safety
/// `text` must be a wide text.
unsafe fn narrowed(call: &Call, to: Buffer, text: WideText, room: usize, count: usize) {
    call.check(|touches| {
        let most = match (to.is_null(), count) {
            (_, INVALID) => 1,
            (true, _) => usize::MAX,
            // Each has a byte at least.
            (false, count) => (count + 1).min(room),
        };
        // SAFETY: passed on.
        touches.reads(text, unsafe { wide_extent(text, most) } * WIDE);
        if !to.is_null() && count != INVALID {
            touches.writes(to, (count + 1).min(room));
        }
    });
}

/// Checks that one character was read from at most `most` bytes; `used` of them
/// by what the function returned.
fn read_one(call: &Call, to: *mut wchar_t, text: Text, most: usize, used: usize) {
    call.check(|touches| {
        if text.is_null() {
            return;
        }
        match used {
            INVALID => touches.reads(text, most.min(1)),
            INCOMPLETE => touches.reads(text, most),
            used => {
                touches.reads(text, used.max(1).min(most));
                touches.writes_one(to);
            }
        }
    });
}

library! {
    fn mbstowcs(to: WideBuffer, text: Text, room: usize) -> usize |call, real| {
        let count = real(to, text, room);
        widened(&call, to, text, room, count);
        count
    }
    fn wcstombs(to: Buffer, text: WideText, room: usize) -> usize |call, real| {
        let count = real(to, text, room);
        narrowed(&call, to, text, room, count);
        count
    }
    fn mbsrtowcs(to: WideBuffer, text: *mut Text, room: usize, state: State) -> usize |call, real| {
        let from = *text;
        let count = real(to, text, room, state);
        widened(&call, to, from, room, count);
        if !to.is_null() {
            call.check(|touches| touches.writes_one(text));
        }
        changes(&call, state);
        count
    }
    fn wcsrtombs(to: Buffer, text: *mut WideText, room: usize, state: State) -> usize |call, real| {
        let from = *text;
        let count = real(to, text, room, state);
        narrowed(&call, to, from, room, count);
        if !to.is_null() {
            call.check(|touches| touches.writes_one(text));
        }
        changes(&call, state);
        count
    }
    fn mbrtowc(to: *mut wchar_t, text: Text, most: usize, state: State) -> usize |call, real| {
        let used = real(to, text, most, state);
        read_one(&call, to, text, most, used);
        changes(&call, state);
        used
    }
    fn mbtowc(to: *mut wchar_t, text: Text, most: usize) -> c_int |call, real| {
        let used = real(to, text, most);
        read_one(&call, to, text, most, usize::try_from(used).unwrap_or(INVALID));
        used
    }
    fn wcrtomb(to: Buffer, character: wchar_t, state: State) -> usize |call, real| {
        let len = real(to, character, state);
        if !to.is_null() && len != INVALID {
            call.writes(to, len);
        }
        changes(&call, state);
        len
    }
    fn wctomb(to: Buffer, character: wchar_t) -> c_int |call, real| {
        let len = real(to, character);
        if let Ok(len) = usize::try_from(len) && !to.is_null() {
            call.writes(to, len);
        }
        len
    }
}
