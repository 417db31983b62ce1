//! Processes that the program makes and waits for.
//!
//! What a thread did before it made a process comes before all that the process
//! does: before its end, which another thread may wait for, and before what it
//! writes to the descriptors that it inherits.

use super::library::{Call, library};
use crate::descriptor;
use crate::sync::channel::{self, Channel};
use crate::thread;
use core::ffi::{c_char, c_int};
use libc::{
    id_t, idtype_t, pid_t, posix_spawn_file_actions_t, posix_spawnattr_t, rusage, siginfo_t,
};

type Texts = *const *mut c_char;

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

library! {
    fn posix_spawn(
        child: *mut pid_t, path: *const c_char, actions: *const posix_spawn_file_actions_t,
        attributes: *const posix_spawnattr_t, arguments: Texts, environment: Texts,
    ) -> c_int |call, real| {
        call.check(|_| making());
        let result = real(child, path, actions, attributes, arguments, environment);
        call.check(|touches| touches.writes_one(child));
        result
    }
    fn posix_spawnp(
        child: *mut pid_t, file: *const c_char, actions: *const posix_spawn_file_actions_t,
        attributes: *const posix_spawnattr_t, arguments: Texts, environment: Texts,
    ) -> c_int |call, real| {
        call.check(|_| making());
        let result = real(child, file, actions, attributes, arguments, environment);
        call.check(|touches| touches.writes_one(child));
        result
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
