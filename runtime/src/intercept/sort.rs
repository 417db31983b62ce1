//! Sorting and searching.
//!
//! libc moves the elements without being seen; the program's function that
//! compares them is instrumented and is seen by itself.

use super::library::library;
use core::ffi::{c_int, c_void};

type Compare = unsafe extern "C" fn(*const c_void, *const c_void) -> c_int;
type CompareWith = unsafe extern "C" fn(*const c_void, *const c_void, *mut c_void) -> c_int;

library! {
    fn qsort(start: *mut c_void, count: usize, size: usize, compare: Compare) |call, real| {
        // Fewer than two elements are left where they are.
        if count > 1 {
            call.writes(start, count.saturating_mul(size));
        }
        real(start, count, size, compare)
    }
    fn qsort_r(start: *mut c_void, count: usize, size: usize, compare: CompareWith, with: *mut c_void) |call, real| {
        if count > 1 {
            call.writes(start, count.saturating_mul(size));
        }
        real(start, count, size, compare, with)
    }
}
