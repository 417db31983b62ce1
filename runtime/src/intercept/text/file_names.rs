//! Parts of files' names, two of which are cut out of the name itself.

use super::{Buffer, Text, length};
use crate::intercept::library::{Call, library};

/// Checks the reading of `name`, and its cut if `real` makes one.
///
/// # Safety
/// It must be null or a text.
unsafe fn cut(call: &Call, name: Buffer, real: impl FnOnce() -> Buffer) -> Buffer {
    if name.is_null() {
        return real();
    }
    let mut before = 0;
    call.check(|touches| {
        // SAFETY: passed on.
        before = unsafe { length(name) };
        touches.reads(name, before + 1);
    });
    let part = real();
    call.check(|touches| {
        // SAFETY: passed on; it can only have become shorter.
        let end = unsafe { length(name) };
        if end < before {
            touches.writes(name.wrapping_add(end), 1);
        }
    });
    part
}

library! {
    fn basename(name: Text) -> Buffer |call, real| {
        call.check(|touches| touches.reads_text(name));
        real(name)
    }
    fn __xpg_basename(name: Buffer) -> Buffer |call, real| {
        cut(&call, name, || real(name))
    }
    fn dirname(name: Buffer) -> Buffer |call, real| {
        cut(&call, name, || real(name))
    }
}
