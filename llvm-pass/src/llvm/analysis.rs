//! The analyses of the function being instrumented.

use super::call;
use super::shim::*;
use super::value::Value;

/// LLVM's analyses of one function. Valid until the function's control flow
/// is changed: everything is asked first and changed afterwards.
pub(crate) struct Analysis {
    raw: *mut RawAnalyses,
}

impl Analysis {
    /// Wraps the shim's handle.
    pub(crate) fn new(raw: *mut RawAnalyses) -> Analysis {
        Analysis { raw }
    }

    /// Turns to another function.
    pub(crate) fn enter(&self, function: Value) {
        call!(racert_enter_function(self.raw, function.0));
    }

    /// `pointer & 7`, if it is the same on every execution of `at`.
    pub(crate) fn offset_in_granule(&self, pointer: Value, at: Value) -> Option<u32> {
        let known = call!(racert_known_low_bits(self.raw, pointer.0, at.0));
        let (zero, one) = (known & 7, known >> 8 & 7);
        (zero | one == 7).then_some(one)
    }

    /// The largest power of two up to 64 known to divide `pointer`.
    pub(crate) fn known_alignment(&self, pointer: Value, at: Value) -> u64 {
        let known = call!(racert_known_low_bits(self.raw, pointer.0, at.0));
        1 << (!known).trailing_zeros().min(6)
    }
}
