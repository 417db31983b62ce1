//! Signals: handlers, senders and those who wait.

use super::library::{Call, is_watched, library};
use super::next::next;
use super::signal_sets::Set;
use super::stub::{code_of, interceptors};
use super::{caller, hook, set_errno, unseen};
use crate::live::request::on_request;
use crate::signal::deliver::on_signal;
use crate::signal::{self, Handler, LAST};
use core::ffi::{c_int, c_uint, c_void};
use core::mem::MaybeUninit;
use libc::{pid_t, pthread_t, sigaction as Action, siginfo_t, sigset_t, timespec};

next! {
    SIGACTION = c"sigaction": fn(c_int, *const Action, *mut Action) -> c_int;
    SIGNAL = c"signal": fn(c_int, usize) -> usize;
    SYSV_SIGNAL = c"__sysv_signal": fn(c_int, usize) -> usize;
}

interceptors! {
    "sigaction" => sigaction,
    "signal" => signal,
    "bsd_signal" => signal,
    "ssignal" => signal,
    "sysv_signal" => sysv_signal,
    "__sysv_signal" => sysv_signal,
}

/// Finds every function this module stands in front of.
pub(super) fn look_up_both() {
    look_up_all();
    waiting::look_up_all();
}

#[cfg(test)]
pub(super) const ALL_NAMES: &[&[(&str, *const ())]] = &[NAMES, waiting::NAMES];

fn is_function(handler: usize) -> bool {
    !matches!(handler, libc::SIG_DFL | libc::SIG_IGN | libc::SIG_ERR)
}

/// Installs `new`, whose handler is called through [`on_signal`], and says what
/// was installed before.
///
/// # Safety
/// As `sigaction`.
unsafe fn install(number: c_int, new: *const Action, old: *mut Action) -> c_int {
    let real = SIGACTION.get();
    if !(1..=LAST).contains(&number) || !super::library::is_heard() {
        // SAFETY: passed on.
        return unsafe { real(number, new, old) };
    }
    let before = signal::handler(number);
    let mut wrapped = MaybeUninit::<Action>::uninit();
    let mut passed = new;
    // SAFETY: the program's own description.
    if let Some(given) = unsafe { new.as_ref() } {
        hook(|| signal::sending(number));
        if is_function(given.sa_sigaction) {
            signal::set_handler(
                number,
                Handler {
                    function: given.sa_sigaction,
                    flags: given.sa_flags,
                },
            );
            let mut action = *given;
            action.sa_sigaction = on_signal as *const () as usize;
            // The signal may have to be put off, and come a second time.
            action.sa_flags = given.sa_flags & !libc::SA_RESETHAND | libc::SA_SIGINFO;
            passed = wrapped.write(action);
        }
    }
    // SAFETY: passed on.
    let result = unsafe { real(number, passed, old) };
    if result != 0 {
        signal::set_handler(number, before);
    } else if let Some(old) = unsafe_mut(old)
        && old.sa_sigaction == on_request as *const () as usize
    {
        // The runtime's own: for the program there was none.
        // SAFETY: zeros are the default action with an empty mask.
        *old = unsafe { MaybeUninit::zeroed().assume_init() };
    } else if let Some(old) = unsafe_mut(old)
        && old.sa_sigaction == on_signal as *const () as usize
    {
        old.sa_sigaction = before.function;
        let own = libc::SA_RESETHAND | libc::SA_SIGINFO;
        old.sa_flags = old.sa_flags & !own | before.flags & own;
    }
    result
}

/// A place of the program's, if it gave one.
fn unsafe_mut<'a>(place: *mut Action) -> Option<&'a mut Action> {
    // SAFETY: null or the program's own variable.
    unsafe { place.as_mut() }
}

unsafe extern "C" fn sigaction(number: c_int, new: *const Action, old: *mut Action) -> c_int {
    let call = Call::new(caller(), code_of!("sigaction"));
    let watched = is_watched();
    if watched && !new.is_null() {
        // SAFETY: the program's own description.
        call.check(|touches| unsafe { each_field(new, |from, len| touches.reads(from, len)) });
    }
    // SAFETY: the program's own arguments.
    let result = unsafe { install(number, new, old) };
    if watched && result == 0 && !old.is_null() {
        // SAFETY: the program's own variable.
        call.check(|touches| unsafe { each_field(old, |to, len| touches.writes(to, len)) });
    }
    result
}

/// Goes over the parts of a description that count.
///
/// # Safety
/// It must not be null.
unsafe fn each_field(action: *const Action, touch: impl Fn(*const c_void, usize)) {
    // SAFETY: passed on.
    unsafe {
        let handler = &raw const (*action).sa_sigaction;
        touch(handler.cast(), size_of::<usize>());
        touch((&raw const (*action).sa_mask).cast(), size_of::<Set>());
        touch((&raw const (*action).sa_flags).cast(), size_of::<c_int>());
    }
}

/// Has [`on_request`] called for `number`, if there is only the default action.
pub(crate) fn listen(number: c_int) {
    let mut action = MaybeUninit::<Action>::zeroed();
    let mut present = MaybeUninit::<Action>::zeroed();
    // SAFETY: zeros are a valid description; libc fills the other.
    unseen(|| unsafe {
        let real = SIGACTION.get();
        if real(number, core::ptr::null(), present.as_mut_ptr()) != 0
            || (*present.as_ptr()).sa_sigaction != libc::SIG_DFL
        {
            return;
        }
        let new = &mut *action.as_mut_ptr();
        new.sa_sigaction = on_request as *const () as usize;
        new.sa_flags = libc::SA_SIGINFO | libc::SA_RESTART | libc::SA_ONSTACK;
        real(number, new, core::ptr::null_mut());
    });
}

/// Puts the default action in the place of a handler that is to run once.
pub(crate) fn reset(number: c_int) {
    let default = MaybeUninit::<Action>::zeroed();
    // SAFETY: zeros are the default action with an empty mask.
    unseen(|| unsafe { SIGACTION.get()(number, default.as_ptr(), core::ptr::null_mut()) });
}

/// Installs by one of the older functions, which differ in `flags`.
fn install_plain(number: c_int, function: usize, flags: c_int) -> usize {
    let mut new = MaybeUninit::<Action>::zeroed();
    let mut old = MaybeUninit::<Action>::zeroed();
    // SAFETY: zeros are a valid description, and libc fills the other.
    unsafe {
        let action = &mut *new.as_mut_ptr();
        action.sa_sigaction = function;
        action.sa_flags = flags;
        if flags & libc::SA_NODEFER == 0 {
            libc::sigaddset(&mut action.sa_mask, number);
        }
        if install(number, new.as_ptr(), old.as_mut_ptr()) != 0 {
            return libc::SIG_ERR;
        }
        (*old.as_ptr()).sa_sigaction
    }
}

extern "C" fn signal(number: c_int, function: usize) -> usize {
    if function == libc::SIG_ERR {
        set_errno(libc::EINVAL);
        return libc::SIG_ERR;
    }
    if !super::library::is_heard() {
        // SAFETY: the program's own arguments.
        return unsafe { SIGNAL.get()(number, function) };
    }
    install_plain(number, function, libc::SA_RESTART)
}

extern "C" fn sysv_signal(number: c_int, function: usize) -> usize {
    if !super::library::is_heard() {
        // SAFETY: the program's own arguments.
        return unsafe { SYSV_SIGNAL.get()(number, function) };
    }
    install_plain(number, function, libc::SA_RESETHAND | libc::SA_NODEFER)
}

mod waiting {
    //! Sending signals, and waiting for them.

    use super::*;
    use crate::thread;

    /// Runs `real`, which sends `number` to the calling thread itself if
    /// `own`. What is sent to the process may arrive at any thread.
    fn sends(number: c_int, own: bool, real: impl FnOnce() -> c_int) -> c_int {
        hook(|| signal::sending(number));
        let raising = |number: c_int| {
            hook(|| thread::current().map_or(0, |me| core::mem::replace(&mut me.raising, number)))
        };
        if !own {
            return real();
        }
        let before = raising(number);
        let result = real();
        raising(before.unwrap_or(0));
        result
    }

    /// Notes which signal ended the wait.
    fn waited(number: c_int) -> c_int {
        if number > 0 {
            hook(|| signal::received(number));
        }
        number
    }

    fn is_self(id: pthread_t) -> bool {
        // SAFETY: takes no arguments.
        id == unsafe { libc::pthread_self() }
    }

    library! {
        [always] fn raise(number: c_int) -> c_int |_, real| {
            sends(number, true, || real(number))
        }
        [always] fn kill(process: pid_t, number: c_int) -> c_int |_, real| {
            sends(number, false, || real(process, number))
        }
        [always] fn pthread_kill(thread: pthread_t, number: c_int) -> c_int |_, real| {
            sends(number, is_self(thread), || real(thread, number))
        }
        [always] fn sigqueue(process: pid_t, number: c_int, value: *mut c_void) -> c_int |_, real| {
            sends(number, false, || real(process, number, value))
        }
        [always] fn pthread_sigqueue(thread: pthread_t, number: c_int, value: *mut c_void) -> c_int |_, real| {
            sends(number, is_self(thread), || real(thread, number, value))
        }
        [always] fn tgkill(group: pid_t, thread: pid_t, number: c_int) -> c_int |_, real| {
            sends(number, thread == libc::gettid(), || real(group, thread, number))
        }
        fn alarm(seconds: c_uint) -> c_uint |_, real| {
            hook(|| signal::sending(libc::SIGALRM));
            real(seconds)
        }
        fn setitimer(which: c_int, new: *const libc::itimerval, old: *mut libc::itimerval) -> c_int |call, real| {
            call.check(|touches| touches.reads_one(new));
            let number = match which {
                libc::ITIMER_REAL => libc::SIGALRM,
                libc::ITIMER_VIRTUAL => libc::SIGVTALRM,
                _ => libc::SIGPROF,
            };
            hook(|| signal::sending(number));
            let result = real(which, new, old);
            if result == 0 {
                call.check(|touches| touches.writes_one(old));
            }
            result
        }
        fn sigwait(set: *const sigset_t, number: *mut c_int) -> c_int |call, real| {
            call.check(|touches| touches.reads_one(set.cast::<Set>()));
            let result = real(set, number);
            if result == 0 {
                waited(*number);
                call.check(|touches| touches.writes_one(number));
            }
            result
        }
        fn sigwaitinfo(set: *const sigset_t, info: *mut siginfo_t) -> c_int |call, real| {
            call.check(|touches| touches.reads_one(set.cast::<Set>()));
            let number = waited(real(set, info));
            if number > 0 {
                call.check(|touches| touches.writes_one(info));
            }
            number
        }
        fn sigtimedwait(set: *const sigset_t, info: *mut siginfo_t, patience: *const timespec) -> c_int |call, real| {
            call.check(|touches| {
                touches.reads_one(set.cast::<Set>());
                touches.reads_one(patience);
            });
            let number = waited(real(set, info, patience));
            if number > 0 {
                call.check(|touches| touches.writes_one(info));
            }
            number
        }
    }
}
