//! The functions instrumented code calls.
//!
//! Each exported name is a stub that notes its return address, which is the
//! code address of the operation, and goes on in Rust.

use super::super::order::MemoryOrder;
use super::native::Native;
use super::{fence, load, rmw_begin, rmw_end, store, update};
use crate::tls::caller;

macro_rules! operations {
    ($int:ty, $load:ident $store:ident $exchange:ident $cas:ident
     $add:ident $sub:ident $and:ident $or:ident $xor:ident $nand:ident) => {
        crate::stub!($load, |addr: usize, order: MemoryOrder| -> $int {
            load::<$int>(addr, order.acquire(), caller())
        });
        crate::stub!($store, |addr: usize, new: $int, order: MemoryOrder| -> () {
            store::<$int>(addr, new, order, caller())
        });
        crate::stub!($exchange, |addr: usize, new: $int, order: MemoryOrder| -> $int {
            // SAFETY: the program's own operation on its own memory.
            modify(addr, order, move || unsafe { <$int>::exchange(addr, new) })
        });
        crate::stub!($cas, |addr: usize,
                            expected: $int,
                            new: $int,
                            success: MemoryOrder,
                            failure: MemoryOrder|
         -> $int {
            update(addr, (success, failure), caller(), move || {
                // SAFETY: as above.
                let old = unsafe { <$int>::compare_exchange(addr, expected, new) };
                (old, old == expected)
            })
        });
        operations!(@fetch $int, $add, fetch_add);
        operations!(@fetch $int, $sub, fetch_sub);
        operations!(@fetch $int, $and, fetch_and);
        operations!(@fetch $int, $or, fetch_or);
        operations!(@fetch $int, $xor, fetch_xor);
        operations!(@fetch $int, $nand, fetch_nand);
    };
    (@fetch $int:ty, $name:ident, $fetch:ident) => {
        crate::stub!($name, |addr: usize, value: $int, order: MemoryOrder| -> $int {
            // SAFETY: as above.
            modify(addr, order, move || unsafe { <$int>::$fetch(addr, value) })
        });
    };
}

#[inline(always)]
fn modify<T: Native>(addr: usize, order: MemoryOrder, operate: impl Fn() -> T + Copy) -> T {
    update(addr, (order, order), caller(), move || (operate(), true))
}

operations!(u8,
    __racert_atomic8_load __racert_atomic8_store __racert_atomic8_exchange __racert_atomic8_compare_exchange
    __racert_atomic8_fetch_add __racert_atomic8_fetch_sub __racert_atomic8_fetch_and
    __racert_atomic8_fetch_or __racert_atomic8_fetch_xor __racert_atomic8_fetch_nand);
operations!(u16,
    __racert_atomic16_load __racert_atomic16_store __racert_atomic16_exchange __racert_atomic16_compare_exchange
    __racert_atomic16_fetch_add __racert_atomic16_fetch_sub __racert_atomic16_fetch_and
    __racert_atomic16_fetch_or __racert_atomic16_fetch_xor __racert_atomic16_fetch_nand);
operations!(u32,
    __racert_atomic32_load __racert_atomic32_store __racert_atomic32_exchange __racert_atomic32_compare_exchange
    __racert_atomic32_fetch_add __racert_atomic32_fetch_sub __racert_atomic32_fetch_and
    __racert_atomic32_fetch_or __racert_atomic32_fetch_xor __racert_atomic32_fetch_nand);
operations!(u64,
    __racert_atomic64_load __racert_atomic64_store __racert_atomic64_exchange __racert_atomic64_compare_exchange
    __racert_atomic64_fetch_add __racert_atomic64_fetch_sub __racert_atomic64_fetch_and
    __racert_atomic64_fetch_or __racert_atomic64_fetch_xor __racert_atomic64_fetch_nand);
operations!(u128,
    __racert_atomic128_load __racert_atomic128_store __racert_atomic128_exchange __racert_atomic128_compare_exchange
    __racert_atomic128_fetch_add __racert_atomic128_fetch_sub __racert_atomic128_fetch_and
    __racert_atomic128_fetch_or __racert_atomic128_fetch_xor __racert_atomic128_fetch_nand);

crate::stub!(__racert_atomic_rmw_begin, |addr: usize,
                                         size: u32,
                                         order: MemoryOrder|
 -> () {
    rmw_begin(addr, size as usize, order, caller())
});
crate::stub!(__racert_atomic_rmw_end, |addr: usize,
                                       _size: u32,
                                       order: MemoryOrder|
 -> () { rmw_end(addr, order) });
crate::stub!(__racert_fence, |order: MemoryOrder| -> () {
    fence(order, caller())
});
