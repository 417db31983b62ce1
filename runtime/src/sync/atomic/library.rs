//! Atomics that programs have libraries do, which are not instrumented: SDL's,
//! APR's, NSPR's, and GLib's for who does not compile with its macros. All are
//! sequentially consistent there.

use super::super::order::MemoryOrder;
use super::native::Native;
use super::{load, store, update};
use crate::intercept::stub::interceptors;
use crate::tls::caller;
use core::ffi::c_int;

const TOTAL: MemoryOrder = MemoryOrder(MemoryOrder::SEQ_CST);

interceptors! {
    "SDL_AtomicGet" => get::<u32>,
    "SDL_AtomicSet" => exchange::<u32>,
    "SDL_AtomicAdd" => add::<u32>,
    "SDL_AtomicCAS" => replaced::<u32>,
    "SDL_AtomicGetPtr" => get::<u64>,
    "SDL_AtomicSetPtr" => exchange::<u64>,
    "SDL_AtomicCASPtr" => replaced::<u64>,
    "apr_atomic_read32" => get::<u32>,
    "apr_atomic_set32" => set::<u32>,
    "apr_atomic_add32" => add::<u32>,
    "apr_atomic_sub32" => subtract::<u32>,
    "apr_atomic_inc32" => increment::<u32>,
    "apr_atomic_dec32" => decrement_remains::<u32>,
    "apr_atomic_cas32" => compare_last::<u32>,
    "apr_atomic_xchg32" => exchange::<u32>,
    "apr_atomic_read64" => get::<u64>,
    "apr_atomic_set64" => set::<u64>,
    "apr_atomic_add64" => add::<u64>,
    "apr_atomic_sub64" => subtract::<u64>,
    "apr_atomic_inc64" => increment::<u64>,
    "apr_atomic_dec64" => decrement_remains::<u64>,
    "apr_atomic_cas64" => compare_last::<u64>,
    "apr_atomic_xchg64" => exchange::<u64>,
    "apr_atomic_casptr" => compare_last::<u64>,
    "apr_atomic_xchgptr" => exchange::<u64>,
    "PR_AtomicIncrement" => incremented,
    "PR_AtomicDecrement" => decremented,
    "PR_AtomicAdd" => added,
    "PR_AtomicSet" => exchange::<u32>,
    "g_atomic_int_get" => get::<u32>,
    "g_atomic_int_set" => set::<u32>,
    "g_atomic_int_inc" => increment::<u32>,
    "g_atomic_int_dec_and_test" => decrement_was_last,
    "g_atomic_int_compare_and_exchange" => replaced::<u32>,
    "g_atomic_int_compare_and_exchange_full" => replaced_or_told::<u32>,
    "g_atomic_int_exchange" => exchange::<u32>,
    "g_atomic_int_add" => add::<u32>,
    "g_atomic_int_exchange_and_add" => add::<u32>,
    "g_atomic_int_and" => and::<u32>,
    "g_atomic_int_or" => or::<u32>,
    "g_atomic_int_xor" => xor::<u32>,
    "g_atomic_pointer_get" => get::<u64>,
    "g_atomic_pointer_set" => set::<u64>,
    "g_atomic_pointer_compare_and_exchange" => replaced::<u64>,
    "g_atomic_pointer_compare_and_exchange_full" => replaced_or_told::<u64>,
    "g_atomic_pointer_exchange" => exchange::<u64>,
    "g_atomic_pointer_add" => add::<u64>,
    "g_atomic_pointer_and" => and::<u64>,
    "g_atomic_pointer_or" => or::<u64>,
    "g_atomic_pointer_xor" => xor::<u64>,
}

/// Changes by `operate`, which returns the old value, for the code at `pc`.
fn change<T: Native>(addr: usize, pc: usize, operate: impl Fn() -> T + Copy) -> T {
    update(addr, (TOTAL, TOTAL), pc, move || (operate(), true))
}

extern "C" fn get<T: Native>(addr: usize) -> T {
    load(addr, TOTAL.acquire(), caller())
}

extern "C" fn set<T: Native>(addr: usize, new: T) {
    store(addr, new, TOTAL, caller());
}

/// Defines functions that return the old value.
macro_rules! old_values {
    ($($id:ident = $operation:ident;)+) => {
        $(
            extern "C" fn $id<T: Native>(addr: usize, value: T) -> T {
                // SAFETY: the program's own operation on its own memory.
                change(addr, caller(), move || unsafe { T::$operation(addr, value) })
            }
        )+
    };
}

old_values! {
    exchange = exchange;
    add = fetch_add;
    subtract = fetch_sub;
    and = fetch_and;
    or = fetch_or;
    xor = fetch_xor;
}

fn compare<T: Native>(addr: usize, expected: T, new: T, pc: usize) -> T {
    update(addr, (TOTAL, TOTAL), pc, move || {
        // SAFETY: as above.
        let old = unsafe { T::compare_exchange(addr, expected, new) };
        (old, old == expected)
    })
}

/// Was it replaced?
extern "C" fn replaced<T: Native>(addr: usize, expected: T, new: T) -> c_int {
    c_int::from(compare(addr, expected, new, caller()) == expected)
}

/// Was it replaced? What was there is written to `seen`.
unsafe extern "C" fn replaced_or_told<T: Native>(
    addr: usize,
    expected: T,
    new: T,
    seen: *mut T,
) -> c_int {
    let old = compare(addr, expected, new, caller());
    // SAFETY: the program's own variable.
    unsafe { seen.write(old) };
    c_int::from(old == expected)
}

/// What was there; what is expected comes last.
extern "C" fn compare_last<T: Native>(addr: usize, new: T, expected: T) -> T {
    compare(addr, expected, new, caller())
}

extern "C" fn increment<T: Native + From<u8>>(addr: usize) -> T {
    // SAFETY: as above.
    change(addr, caller(), move || unsafe {
        T::fetch_add(addr, T::from(1))
    })
}

/// Is anything left?
extern "C" fn decrement_remains<T: Native + From<u8>>(addr: usize) -> c_int {
    // SAFETY: as above.
    let old = change(addr, caller(), move || unsafe {
        T::fetch_sub(addr, T::from(1))
    });
    c_int::from(old != T::from(1))
}

extern "C" fn decrement_was_last(addr: usize) -> c_int {
    c_int::from(decrement_remains::<u32>(addr) == 0)
}

/// What is there then.
extern "C" fn added(addr: usize, value: u32) -> u32 {
    add(addr, value).wrapping_add(value)
}

extern "C" fn incremented(addr: usize) -> u32 {
    added(addr, 1)
}

extern "C" fn decremented(addr: usize) -> u32 {
    added(addr, u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Does `operate` on a variable with `old`; what it returns, and what is there
    /// then.
    fn on<R>(old: u32, operate: impl FnOnce(usize) -> R) -> (R, u32) {
        let mut variable = old;
        let result = operate((&raw mut variable).addr());
        // SAFETY: a variable of this function's.
        (result, unsafe { (&raw const variable).read_volatile() })
    }

    #[test]
    fn each_returns_what_its_library_says() {
        assert_eq!(on(3, |at| get::<u32>(at)), (3, 3));
        assert_eq!(on(3, |at| set::<u32>(at, 4)), ((), 4));
        assert_eq!(on(3, |at| exchange::<u32>(at, 4)), (3, 4));
        assert_eq!(on(3, |at| add::<u32>(at, 4)), (3, 7));
        assert_eq!(on(3, |at| subtract::<u32>(at, 4)), (3, u32::MAX));
        assert_eq!(on(3, |at| replaced::<u32>(at, 3, 4)), (1, 4));
        assert_eq!(on(3, |at| replaced::<u32>(at, 2, 4)), (0, 3));
        assert_eq!(on(3, |at| compare_last::<u32>(at, 4, 3)), (3, 4));
        assert_eq!(on(3, |at| compare_last::<u32>(at, 4, 2)), (3, 3));
        assert_eq!(on(3, |at| increment::<u32>(at)), (3, 4));
        assert_eq!(on(1, |at| decrement_remains::<u32>(at)), (0, 0));
        assert_eq!(on(2, |at| decrement_remains::<u32>(at)), (1, 1));
        assert_eq!(on(1, |at| decrement_was_last(at)), (1, 0));
        assert_eq!(on(2, |at| decrement_was_last(at)), (0, 1));
        assert_eq!(on(3, |at| added(at, 4)), (7, 7));
        assert_eq!(on(3, |at| incremented(at)), (4, 4));
        assert_eq!(on(3, |at| decremented(at)), (2, 2));
        let mut seen = 0;
        // SAFETY: a variable of this function's.
        let told = on(3, |at| unsafe {
            replaced_or_told::<u32>(at, 2, 4, &raw mut seen)
        });
        assert_eq!((told, seen), ((0, 3), 3));
    }
}
