//! Cutting texts into pieces.

use super::{Buffer, Text};
use crate::intercept::library::library;

library! {
    fn strtok_r(text: Buffer, set: Text, rest: *mut Buffer) -> Buffer |call, real| {
        let start = if text.is_null() { *rest } else { text };
        let found = real(text, set, rest);
        call.check(|touches| {
            touches.reads_text(set);
            touches.writes_one(rest);
            cut(touches, start, found, *rest);
        });
        found
    }
    fn __strtok_r(text: Buffer, set: Text, rest: *mut Buffer) -> Buffer |call, real| {
        let start = if text.is_null() { *rest } else { text };
        let found = real(text, set, rest);
        call.check(|touches| {
            touches.reads_text(set);
            touches.writes_one(rest);
            cut(touches, start, found, *rest);
        });
        found
    }
    fn strsep(text: *mut Buffer, set: Text) -> Buffer |call, real| {
        let found = real(text, set);
        call.check(|touches| {
            touches.reads_text(set);
            if !found.is_null() {
                touches.writes_one(text);
                cut(touches, found, found, *text);
            }
        });
        found
    }
}

/// From `start` on a piece was looked for, found at `found`, and an end put
/// before `rest`.
fn cut(touches: &crate::intercept::library::Touches, start: Buffer, found: Buffer, rest: Buffer) {
    if start.is_null() {
        return;
    }
    let end = match (found.is_null(), rest.is_null()) {
        (true, _) => start.addr(),
        // SAFETY: the piece is a text now.
        (false, true) => found.addr() + unsafe { super::length(found) },
        (false, false) => rest.addr() - 1,
    };
    touches.reads(start, end.saturating_sub(start.addr()) + 1);
    if !found.is_null() && !rest.is_null() && rest.addr() > found.addr() {
        touches.writes(rest.wrapping_sub(1), 1);
    }
}
