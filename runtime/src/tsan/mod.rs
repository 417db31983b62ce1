//! ThreadSanitizer's interface.
//!
//! Objects compiled with `-fsanitize=thread`, by clang, gcc or rustc, call
//! `__tsan_*` functions. They are offered here under the same names and
//! conventions, so that such objects link with racert's runtime instead of the
//! stock one and are checked like racert's own, also mixed with them in one
//! program. All are weak.
//!
//! [`access`] is what instrumented loads, stores and functions call (atomics
//! lie in [`crate::sync::atomic`]), [`api`] what programs call by hand,
//! [`fiber`] user-level threads, [`report`] questions about findings, [`hook`] the
//! functions a program may define, [`java`] what a Java virtual machine calls,
//! [`syscall`] what programs call that make system calls themselves, [`locate`]
//! what debuggers ask, [`testing`] what ThreadSanitizer's own tests call.

mod access;
mod api;
mod fiber;
pub mod hook;
mod java;
mod locate;
pub(crate) mod report;
mod syscall;
mod testing;

pub(crate) use access::other_names;
pub(crate) use java::{after_fork, before_fork};

#[cfg(test)]
pub(crate) fn names() -> [&'static [(&'static str, *const ())]; 8] {
    [
        access::NAMES,
        api::NAMES,
        fiber::NAMES,
        java::NAMES,
        locate::NAMES,
        report::NAMES,
        syscall::NAMES,
        testing::NAMES,
    ]
}
