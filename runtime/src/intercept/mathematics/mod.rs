//! Mathematical functions that write a part of their result through a pointer.

mod libm;
mod long_double;
mod plain;

#[cfg(test)]
pub(super) const NAMES: &[&[(&str, *const ())]] = &[libm::NAMES, long_double::NAMES, plain::NAMES];

use super::library::{Call, Touches, is_watched};

/// Finds the functions that libc has itself.
pub(super) fn look_up_all() {
    plain::look_up_all();
}

/// Checks a call of the function whose stub is at `function`.
fn check(pc: usize, function: usize, touch: impl FnOnce(&Touches)) {
    if is_watched() {
        Call::new(pc, function).check(touch);
    }
}
