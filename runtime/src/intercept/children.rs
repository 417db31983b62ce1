//! Processes that the program makes and waits for.
//!
//! What a thread did before it made a process comes before all that the process
//! does: before its end, which another thread may wait for, and before what it
//! writes to the descriptors that it inherits.

use super::library::{Call, Touches, library};
use super::spawn::{self, Actions, Attributes};
use crate::descriptor;
use crate::static_buffer::{self, Buffer};
use crate::sync::channel::{self, Channel};
use crate::thread;
use core::ffi::{c_char, c_int};
use core::ptr::null;
use libc::{id_t, idtype_t, pid_t, rusage, siginfo_t};

/// Texts, and null behind them.
pub(super) type Texts = *const *mut c_char;

/// The calling thread is about to make a process. It has entered the runtime.
pub(super) fn making() {
    if !thread::alone() {
        channel::send(Channel::CHILDREN);
        descriptor::inherited();
    }
}

/// Has waited for a process, if `done`; its fate was written where the others
/// point to.
fn waited<T, U>(call: &Call, done: bool, fate: *const T, usage: *const U) {
    if done {
        call.check(|touches| {
            channel::receive(Channel::CHILDREN);
            touches.writes_one(fate);
            touches.writes_one(usage);
        });
    }
}

const NOTHING: *const c_int = core::ptr::null();

/// Checks where the number of a process that was made is written.
fn made(call: &Call, result: c_int, child: *const pid_t) -> c_int {
    if result == 0 {
        call.check(|touches| touches.writes_one(child));
    }
    result
}

/// Goes over what describes a process that is about to be made.
///
/// # Safety
/// What is not null must be readable, and lists of texts end in null.
pub(super) unsafe fn describes(
    call: &Call,
    file: *const c_char,
    actions: *const Actions,
    attributes: *const Attributes,
    arguments: Texts,
    environment: Texts,
) {
    call.check(|touches| {
        touches.reads_text(file);
        // SAFETY: passed on; libc's own variable.
        unsafe {
            spawn::reads(touches, actions, attributes);
            reads_texts(touches, arguments);
            if environment.cast_mut() == environ {
                touches.reads_one(static_buffer::address(Buffer::Environment));
            } else {
                reads_texts(touches, environment);
            }
        }
        making();
    });
}

/// # Safety
/// As [`describes`].
unsafe fn reads_texts(touches: &Touches, texts: Texts) {
    if texts.is_null() {
        return;
    }
    for i in 0.. {
        // SAFETY: passed on.
        let text = unsafe {
            touches.reads_one(texts.add(i));
            *texts.add(i)
        };
        if text.is_null() {
            return;
        }
        touches.reads_text(text);
    }
}

unsafe extern "C" {
    pub(super) static environ: *mut *mut c_char;
}

library! {
    fn posix_spawn(
        child: *mut pid_t, path: *const c_char, actions: *const Actions,
        attributes: *const Attributes, arguments: Texts, environment: Texts,
    ) -> c_int |call, real| {
        describes(&call, path, actions, attributes, arguments, environment);
        made(&call, real(child, path, actions, attributes, arguments, environment), child)
    }
    fn posix_spawnp(
        child: *mut pid_t, file: *const c_char, actions: *const Actions,
        attributes: *const Attributes, arguments: Texts, environment: Texts,
    ) -> c_int |call, real| {
        describes(&call, file, actions, attributes, arguments, environment);
        made(&call, real(child, file, actions, attributes, arguments, environment), child)
    }
    fn system(command: *const c_char) -> c_int |call, real| {
        describes(&call, command, null(), null(), null(), environ);
        real(command)
    }
    fn wait(fate: *mut c_int) -> pid_t |call, real| {
        let result = real(fate);
        waited(&call, result > 0, fate, NOTHING);
        result
    }
    fn waitpid(child: pid_t, fate: *mut c_int, options: c_int) -> pid_t |call, real| {
        let result = real(child, fate, options);
        waited(&call, result > 0, fate, NOTHING);
        result
    }
    fn wait3(fate: *mut c_int, options: c_int, usage: *mut rusage) -> pid_t |call, real| {
        let result = real(fate, options, usage);
        waited(&call, result > 0, fate, usage);
        result
    }
    fn wait4(child: pid_t, fate: *mut c_int, options: c_int, usage: *mut rusage) -> pid_t |call, real| {
        let result = real(child, fate, options, usage);
        waited(&call, result > 0, fate, usage);
        result
    }
    fn waitid(kind: idtype_t, id: id_t, info: *mut siginfo_t, options: c_int) -> c_int |call, real| {
        let result = real(kind, id, info, options);
        waited(&call, result == 0, info, NOTHING);
        result
    }
}
