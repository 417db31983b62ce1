//! GLib's locks that are one bit of a word.
//!
//! Several may be in one word, and all have its address: who takes one comes
//! after all who have given one of that word back. For the same reason they are
//! not among the locks that a thread holds.

use super::foreign::foreign;
use super::stub::interceptors;
use super::{Pc, caller, hook};
use crate::sync::semaphore;
use core::ffi::{c_int, c_void};

type Word = *mut c_void;

foreign! { [c"libglib-2.0.so.0"]
    LOCK = c"g_bit_lock": fn(Word, c_int);
    TRYLOCK = c"g_bit_trylock": fn(Word, c_int) -> c_int;
    UNLOCK = c"g_bit_unlock": fn(Word, c_int);
    POINTER_LOCK = c"g_pointer_bit_lock": fn(Word, c_int);
    POINTER_TRYLOCK = c"g_pointer_bit_trylock": fn(Word, c_int) -> c_int;
    POINTER_UNLOCK = c"g_pointer_bit_unlock": fn(Word, c_int);
}

interceptors! {
    "g_bit_lock" => lock,
    "g_bit_trylock" => trylock,
    "g_bit_unlock" => unlock,
    "g_pointer_bit_lock" => pointer_lock,
    "g_pointer_bit_trylock" => pointer_trylock,
    "g_pointer_bit_unlock" => pointer_unlock,
}

fn taken(word: Word, pc: Pc) {
    hook(|| semaphore::waited(word.addr(), pc));
}

fn tried(word: Word, got: c_int, pc: Pc) -> c_int {
    if got != 0 {
        taken(word, pc);
    }
    got
}

fn giving_back(word: Word, pc: Pc) {
    hook(|| semaphore::posting(word.addr(), pc));
}

// SAFETY of the calls below: the program's own arguments.

unsafe extern "C" fn lock(word: Word, bit: c_int) {
    let pc = caller();
    // SAFETY: see above.
    unsafe { LOCK.get()(word, bit) };
    taken(word, pc);
}

unsafe extern "C" fn trylock(word: Word, bit: c_int) -> c_int {
    let pc = caller();
    // SAFETY: see above.
    tried(word, unsafe { TRYLOCK.get()(word, bit) }, pc)
}

unsafe extern "C" fn unlock(word: Word, bit: c_int) {
    giving_back(word, caller());
    // SAFETY: see above.
    unsafe { UNLOCK.get()(word, bit) }
}

unsafe extern "C" fn pointer_lock(word: Word, bit: c_int) {
    let pc = caller();
    // SAFETY: see above.
    unsafe { POINTER_LOCK.get()(word, bit) };
    taken(word, pc);
}

unsafe extern "C" fn pointer_trylock(word: Word, bit: c_int) -> c_int {
    let pc = caller();
    // SAFETY: see above.
    tried(word, unsafe { POINTER_TRYLOCK.get()(word, bit) }, pc)
}

unsafe extern "C" fn pointer_unlock(word: Word, bit: c_int) {
    giving_back(word, caller());
    // SAFETY: see above.
    unsafe { POINTER_UNLOCK.get()(word, bit) }
}
