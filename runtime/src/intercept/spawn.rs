//! What a process that is made by `posix_spawn` is to be like, in variables of
//! the program.

use super::library::{Call, Touches, library};
use super::signal_sets::Set;
use core::ffi::{c_char, c_int, c_short};
use libc::{mode_t, pid_t, sigset_t};

/// `posix_spawn_file_actions_t`.
#[repr(C)]
pub(super) struct Actions {
    room: c_int,
    count: c_int,
    list: *mut u8,
    rest: [c_int; 16],
}

/// `posix_spawnattr_t`.
#[repr(C)]
pub(super) struct Attributes {
    flags: c_short,
    group: pid_t,
    defaults: sigset_t,
    mask: sigset_t,
    scheduling: [c_int; 2],
    rest: [c_int; 16],
}

const _: () = assert!(
    size_of::<Actions>() == size_of::<libc::posix_spawn_file_actions_t>()
        && size_of::<Attributes>() == size_of::<libc::posix_spawnattr_t>()
);

/// Goes over what decides how a process is made.
///
/// # Safety
/// Both must be null or readable.
pub(super) unsafe fn reads(
    touches: &Touches,
    actions: *const Actions,
    attributes: *const Attributes,
) {
    // SAFETY: passed on.
    unsafe {
        if !actions.is_null() {
            touches.reads_one(&raw const (*actions).count);
        }
        if !attributes.is_null() {
            touches.reads_one(&raw const (*attributes).flags);
        }
    }
}

/// Checks that an action was added.
///
/// # Safety
/// The actions must be readable.
unsafe fn added(call: &Call, result: c_int, actions: *const Actions) -> c_int {
    if result == 0 {
        call.check(|touches| {
            // SAFETY: passed on.
            touches.writes_one(unsafe { &raw const (*actions).count });
        });
    }
    result
}

library! {
    fn posix_spawn_file_actions_init(actions: *mut Actions) -> c_int |call, real| {
        call.check(|touches| touches.writes_one(actions));
        real(actions)
    }
    fn posix_spawn_file_actions_destroy(actions: *mut Actions) -> c_int |call, real| {
        call.check(|touches| touches.writes_one(&raw const (*actions).count));
        real(actions)
    }
    fn posix_spawn_file_actions_addopen(actions: *mut Actions, fd: c_int, path: *const c_char, flags: c_int, mode: mode_t) -> c_int |call, real| {
        call.check(|touches| touches.reads_text(path));
        added(&call, real(actions, fd, path, flags, mode), actions)
    }
    fn posix_spawn_file_actions_addclose(actions: *mut Actions, fd: c_int) -> c_int |call, real| {
        added(&call, real(actions, fd), actions)
    }
    fn posix_spawn_file_actions_adddup2(actions: *mut Actions, fd: c_int, to: c_int) -> c_int |call, real| {
        added(&call, real(actions, fd, to), actions)
    }
    fn posix_spawn_file_actions_addchdir_np(actions: *mut Actions, path: *const c_char) -> c_int |call, real| {
        call.check(|touches| touches.reads_text(path));
        added(&call, real(actions, path), actions)
    }
    fn posix_spawnattr_init(attributes: *mut Attributes) -> c_int |call, real| {
        call.check(|touches| touches.writes_one(attributes));
        real(attributes)
    }
    fn posix_spawnattr_setflags(attributes: *mut Attributes, flags: c_short) -> c_int |call, real| {
        let result = real(attributes, flags);
        if result == 0 {
            call.check(|touches| touches.writes_one(&raw const (*attributes).flags));
        }
        result
    }
    fn posix_spawnattr_setpgroup(attributes: *mut Attributes, group: pid_t) -> c_int |call, real| {
        call.check(|touches| touches.writes_one(&raw const (*attributes).group));
        real(attributes, group)
    }
    fn posix_spawnattr_setsigdefault(attributes: *mut Attributes, set: *const sigset_t) -> c_int |call, real| {
        call.check(|touches| {
            touches.reads_one(set.cast::<Set>());
            touches.writes_one(&raw const (*attributes).defaults);
        });
        real(attributes, set)
    }
    fn posix_spawnattr_setsigmask(attributes: *mut Attributes, set: *const sigset_t) -> c_int |call, real| {
        call.check(|touches| {
            touches.reads_one(set.cast::<Set>());
            touches.writes_one(&raw const (*attributes).mask);
        });
        real(attributes, set)
    }
}
