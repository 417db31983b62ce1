//! Timers of the process.
//!
//! One that calls a function does so on a thread of libc's, whose creation
//! nobody sees: what was done before the timer was made or set comes before the
//! call all the same.

use super::hook;
use super::library::library;
use super::notified::BY_THREAD;
use crate::signal;
use crate::sync::channel;
use crate::thread;
use alloc::boxed::Box;
use core::ffi::{c_int, c_void};
use libc::{clockid_t, itimerspec, sigevent, timer_t};

type Function = unsafe extern "C" fn(*mut c_void);

/// A function that a timer is to call.
struct Notification {
    function: Function,
    value: *mut c_void,
}

/// `struct sigevent` of a timer that calls a function.
#[derive(Clone, Copy)]
#[repr(C)]
struct Event {
    value: *mut c_void,
    signal: c_int,
    notify: c_int,
    function: Option<Function>,
    attributes: *mut c_void,
    rest: [u64; 4],
}

const _: () = assert!(size_of::<Event>() == size_of::<sigevent>());

unsafe extern "C" fn notify(notification: *mut c_void) {
    crate::init::ensure();
    hook(|| {
        thread::attach();
        channel::receive(signal::any());
    });
    // SAFETY: made by `timer_create`, and never given back: the timer may
    // expire as long as the process lives.
    let Notification { function, value } = unsafe { &*notification.cast::<Notification>() };
    // SAFETY: as the program asked for.
    unsafe { function(*value) }
}

library! {
    [always] fn timer_create(clock: clockid_t, event: *mut sigevent, timer: *mut timer_t) -> c_int |_, real| {
        let mut changed = None;
        if let Some(given) = event.cast::<Event>().as_ref() {
            hook(|| signal::sending(given.signal));
            if given.notify == BY_THREAD && let Some(function) = given.function {
                let notification = hook(|| {
                    thread::expect_stranger();
                    Box::into_raw(Box::new(Notification { function, value: given.value }))
                });
                changed = notification.map(|notification| Event {
                    value: notification.cast(),
                    function: Some(notify),
                    ..*given
                });
            }
        }
        match &mut changed {
            Some(event) => real(clock, (&raw mut *event).cast(), timer),
            None => real(clock, event, timer),
        }
    }
    fn timer_settime(timer: timer_t, flags: c_int, new: *const itimerspec, old: *mut itimerspec) -> c_int |call, real| {
        call.check(|touches| touches.reads_one(new));
        hook(|| signal::sending(0));
        let result = real(timer, flags, new, old);
        if result == 0 {
            call.check(|touches| touches.writes_one(old));
        }
        result
    }
    fn timer_gettime(timer: timer_t, now: *mut itimerspec) -> c_int |call, real| {
        let result = real(timer, now);
        if result == 0 {
            call.check(|touches| touches.writes_one(now));
        }
        result
    }
}
