//! Results that become ready when the thread that made them has ended
//! (`std::promise::set_value_at_thread_exit` and its like).
//!
//! libstdc++ makes them ready itself, with an atomic store in a function that
//! it calls when the thread's variables are gone; whoever waits reads the same
//! atomic in instrumented code. `_Make_ready` is that call: the next one of the
//! list, the function, and a weak reference to the result.

use super::cxx_static::{choose, linked_in};
use super::foreign::foreign;
use super::hook;
use super::stub::interceptors;
use crate::sync::semaphore;
use core::ffi::c_void;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicPtr, Ordering};

type Run = unsafe extern "C" fn(*mut MakeReady);

foreign! { [c"libstdc++.so.6"]
    SET = c"_ZNSt13__future_base13_State_baseV211_Make_ready6_M_setEv": fn(*mut MakeReady);
}

interceptors! {
    "_ZNSt13__future_base13_State_baseV211_Make_ready6_M_setEv" => set,
}

/// `std::__future_base::_State_baseV2::_Make_ready`.
#[repr(C)]
pub(super) struct MakeReady {
    next: *mut MakeReady,
    run: Run,
    state: *const c_void,
    counts: *const Counts,
}

/// `std::_Sp_counted_base`.
#[repr(C)]
struct Counts {
    vtable: *const c_void,
    used: i32,
}

/// Where a result says whether it is ready: behind the vtable and the value.
const STATUS: usize = 16;

/// The library's function.
static RUN: AtomicPtr<c_void> = AtomicPtr::new(null_mut());

pub(super) unsafe extern "C" fn set(call: *mut MakeReady) {
    let linked_in = linked_in!("_ZNSt13__future_base13_State_baseV211_Make_ready6_M_setEv");
    let Some(set) = choose(linked_in, &SET) else {
        panic!("a result is set without a library");
    };
    // SAFETY: the program's own argument, which is now in the thread's list and
    // is neither moved nor run before the thread ends.
    unsafe {
        set(call);
        RUN.store((*call).run as *mut c_void, Ordering::Relaxed);
        (*call).run = run;
    }
}

unsafe extern "C" fn run(call: *mut MakeReady) {
    // SAFETY: the library's own argument; a reference keeps the counts.
    let (state, run) = unsafe {
        let counts = (*call).counts;
        let used = !counts.is_null() && (&raw const (*counts).used).read_volatile() != 0;
        (used.then_some((*call).state as usize), (*call).run as usize)
    };
    if let Some(state) = state {
        hook(|| semaphore::posting(state + STATUS, run));
    }
    // SAFETY: set by whoever put the call into the list.
    unsafe { core::mem::transmute::<*mut c_void, Run>(RUN.load(Ordering::Relaxed))(call) }
}
