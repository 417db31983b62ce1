//! The operations themselves, on the program's memory.
//!
//! Sequentially consistent but for stores that need not be: on x86-64 all else
//! costs the same in any order.

use core::sync::atomic::Ordering::{Release, SeqCst};
use core::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64};

/// An integer that the processor can access atomically.
///
/// # Safety
/// All functions want a valid, aligned address of program memory.
pub(super) trait Native: Copy + Eq {
    unsafe fn load(addr: usize) -> Self;
    unsafe fn store(addr: usize, new: Self);
    /// As [`Native::store`], in no order with loads that follow.
    unsafe fn store_release(addr: usize, new: Self);
    unsafe fn exchange(addr: usize, new: Self) -> Self;
    /// The old value; the exchange happened if it equals `expected`.
    unsafe fn compare_exchange(addr: usize, expected: Self, new: Self) -> Self;

    /// Applies `f` until nobody interferes; the old value.
    unsafe fn update(addr: usize, f: impl Fn(Self) -> Self) -> Self {
        // SAFETY: the caller's promise, passed on.
        unsafe {
            let mut old = Self::load(addr);
            loop {
                let seen = Self::compare_exchange(addr, old, f(old));
                if seen == old {
                    return old;
                }
                old = seen;
            }
        }
    }

    /// Each returns the old value.
    unsafe fn fetch_add(addr: usize, value: Self) -> Self;
    unsafe fn fetch_sub(addr: usize, value: Self) -> Self;
    unsafe fn fetch_and(addr: usize, value: Self) -> Self;
    unsafe fn fetch_or(addr: usize, value: Self) -> Self;
    unsafe fn fetch_xor(addr: usize, value: Self) -> Self;
    unsafe fn fetch_nand(addr: usize, value: Self) -> Self;
}

macro_rules! native {
    (@fetch $int:ty, $atomic:ty, $($fetch:ident)+) => {
        $(
            unsafe fn $fetch(addr: usize, value: $int) -> $int {
                // SAFETY: valid and aligned, as the caller promises.
                unsafe { <$atomic>::from_ptr(addr as *mut $int).$fetch(value, SeqCst) }
            }
        )+
    };
    ($int:ty, $atomic:ty) => {
        impl Native for $int {
            unsafe fn load(addr: usize) -> $int {
                // SAFETY: valid and aligned, as the caller promises.
                unsafe { <$atomic>::from_ptr(addr as *mut $int).load(SeqCst) }
            }
            unsafe fn store(addr: usize, new: $int) {
                // SAFETY: as above.
                unsafe { <$atomic>::from_ptr(addr as *mut $int).store(new, SeqCst) }
            }
            unsafe fn store_release(addr: usize, new: $int) {
                // SAFETY: as above.
                unsafe { <$atomic>::from_ptr(addr as *mut $int).store(new, Release) }
            }
            unsafe fn exchange(addr: usize, new: $int) -> $int {
                // SAFETY: as above.
                unsafe { <$atomic>::from_ptr(addr as *mut $int).swap(new, SeqCst) }
            }
            unsafe fn compare_exchange(addr: usize, expected: $int, new: $int) -> $int {
                // SAFETY: as above.
                let place = unsafe { <$atomic>::from_ptr(addr as *mut $int) };
                place
                    .compare_exchange(expected, new, SeqCst, SeqCst)
                    .unwrap_or_else(|old| old)
            }
            native!(@fetch $int, $atomic,
                fetch_add fetch_sub fetch_and fetch_or fetch_xor fetch_nand);
        }
    };
}

native!(u8, AtomicU8);
native!(u16, AtomicU16);
native!(u32, AtomicU32);
native!(u64, AtomicU64);

macro_rules! by_update {
    ($($fetch:ident: |$old:ident, $value:ident| $new:expr;)+) => {
        $(
            unsafe fn $fetch(addr: usize, $value: u128) -> u128 {
                // SAFETY: as the caller promises.
                unsafe { Self::update(addr, |$old| $new) }
            }
        )+
    };
}

impl Native for u128 {
    by_update! {
        fetch_add: |old, value| old.wrapping_add(value);
        fetch_sub: |old, value| old.wrapping_sub(value);
        fetch_and: |old, value| old & value;
        fetch_or: |old, value| old | value;
        fetch_xor: |old, value| old ^ value;
        fetch_nand: |old, value| !(old & value);
    }

    unsafe fn store_release(addr: usize, new: u128) {
        // SAFETY: as the caller promises.
        unsafe { Self::store(addr, new) };
    }

    unsafe fn load(addr: usize) -> u128 {
        // SAFETY: as the caller promises; writes back what it read, or zero
        // over zero.
        unsafe { Self::compare_exchange(addr, 0, 0) }
    }

    unsafe fn store(addr: usize, new: u128) {
        // SAFETY: as the caller promises.
        unsafe { Self::exchange(addr, new) };
    }

    unsafe fn exchange(addr: usize, new: u128) -> u128 {
        // SAFETY: as the caller promises.
        unsafe { Self::update(addr, |_| new) }
    }

    unsafe fn compare_exchange(addr: usize, expected: u128, new: u128) -> u128 {
        let (low, high): (u64, u64);
        // SAFETY: `cmpxchg16b` on 16 aligned bytes; rbx is saved because LLVM
        // keeps it for itself, and the others are named so that none is rbx.
        unsafe {
            core::arch::asm!(
                "xchg rsi, rbx",
                "lock cmpxchg16b xmmword ptr [rdi]",
                "mov rbx, rsi",
                in("rdi") addr,
                inout("rsi") new as u64 => _,
                in("rcx") (new >> 64) as u64,
                inout("rax") expected as u64 => low,
                inout("rdx") (expected >> 64) as u64 => high,
                options(nostack),
            );
        }
        u128::from(high) << 64 | u128::from(low)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[repr(align(16))]
    struct Wide(u128);

    #[test]
    fn sixteen_bytes_at_once() {
        let mut wide = Wide(1 << 100 | 5);
        let addr = &raw mut wide.0 as usize;
        // SAFETY: a local, aligned value.
        unsafe {
            assert_eq!(u128::load(addr), 1 << 100 | 5);
            assert_eq!(u128::compare_exchange(addr, 7, 8), 1 << 100 | 5);
            assert_eq!(u128::update(addr, |v| v + 1), 1 << 100 | 5);
            assert_eq!(u128::exchange(addr, 3), 1 << 100 | 6);
            assert_eq!(u128::load(addr), 3);
            assert_eq!(u128::fetch_nand(addr, 1), 3);
            assert_eq!(u128::fetch_sub(addr, 1), !1);
        }
    }
}
