//! Atomics under ThreadSanitizer's names.
//!
//! All but the compare-exchange that reports success are racert's own entry
//! points.

use super::super::order::MemoryOrder;
use super::native::Native;
use super::update;
use crate::intercept::stub::interceptors;
use crate::tls::caller;
use crate::tsan::other_names;
use core::ffi::c_int;

macro_rules! of_width {
    ($($bits:literal)+) => {
        $(
            other_names! {
                "__tsan_atomic", $bits, "_load" => "__racert_atomic", $bits, "_load";
                "__tsan_atomic", $bits, "_store" => "__racert_atomic", $bits, "_store";
                "__tsan_atomic", $bits, "_exchange" => "__racert_atomic", $bits, "_exchange";
                "__tsan_atomic", $bits, "_fetch_add" => "__racert_atomic", $bits, "_fetch_add";
                "__tsan_atomic", $bits, "_fetch_sub" => "__racert_atomic", $bits, "_fetch_sub";
                "__tsan_atomic", $bits, "_fetch_and" => "__racert_atomic", $bits, "_fetch_and";
                "__tsan_atomic", $bits, "_fetch_or" => "__racert_atomic", $bits, "_fetch_or";
                "__tsan_atomic", $bits, "_fetch_xor" => "__racert_atomic", $bits, "_fetch_xor";
                "__tsan_atomic", $bits, "_fetch_nand" => "__racert_atomic", $bits, "_fetch_nand";
                "__tsan_atomic", $bits, "_compare_exchange_val"
                    => "__racert_atomic", $bits, "_compare_exchange";
            }
        )+
    };
}
of_width!("8" "16" "32" "64" "128");

other_names! {
    "__tsan_atomic_thread_fence" => "__racert_fence";
}

interceptors! {
    "__tsan_atomic8_compare_exchange_strong" => compare_exchange::<u8>,
    "__tsan_atomic16_compare_exchange_strong" => compare_exchange::<u16>,
    "__tsan_atomic32_compare_exchange_strong" => compare_exchange::<u32>,
    "__tsan_atomic64_compare_exchange_strong" => compare_exchange::<u64>,
    "__tsan_atomic128_compare_exchange_strong" => compare_exchange::<u128>,
    "__tsan_atomic8_compare_exchange_weak" => compare_exchange::<u8>,
    "__tsan_atomic16_compare_exchange_weak" => compare_exchange::<u16>,
    "__tsan_atomic32_compare_exchange_weak" => compare_exchange::<u32>,
    "__tsan_atomic64_compare_exchange_weak" => compare_exchange::<u64>,
    "__tsan_atomic128_compare_exchange_weak" => compare_exchange::<u128>,
    "__tsan_atomic_signal_fence" => signal_fence,
}

extern "C" fn compare_exchange<T: Native>(
    addr: usize,
    expected: *mut T,
    new: T,
    success: MemoryOrder,
    failure: MemoryOrder,
) -> c_int {
    let pc = caller();
    // SAFETY: the program's own variable.
    let wanted = unsafe { expected.read_unaligned() };
    let old = update(addr, (success, failure), pc, move || {
        // SAFETY: the program's own operation on its own memory.
        let old = unsafe { T::compare_exchange(addr, wanted, new) };
        (old, old == wanted)
    });
    if old != wanted {
        // SAFETY: as above.
        unsafe { expected.write_unaligned(old) };
    }
    c_int::from(old == wanted)
}

/// Orders a thread with its own signal handlers, which the call itself does.
extern "C" fn signal_fence(_order: MemoryOrder) {}
