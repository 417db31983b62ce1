//! Waiting for many descriptors at once, and counters and timers that are
//! descriptors.
//!
//! Who hears that a descriptor can be read from comes after those who made it
//! so. Whoever adds a descriptor to an epoll set passes on what belongs to it.

use super::{received, sends, uses};
use crate::descriptor::{self, watch};
use crate::intercept::library::{Call, library};
use crate::intercept::signal_sets::Set;
use core::ffi::{c_int, c_short, c_void};
use core::ptr::null;
use libc::{epoll_event, fd_set, itimerspec, nfds_t, pollfd, sigset_t, timespec, timeval};

/// Something has come in, or never will again.
const CAN_BE_READ: c_short = libc::POLLIN | libc::POLLPRI | libc::POLLHUP | libc::POLLRDHUP;

/// Has learnt of `result` events of the set `fd`.
///
/// # Safety
/// The events must be readable.
unsafe fn events(call: &Call, fd: c_int, events: *mut epoll_event, result: c_int) -> c_int {
    if result > 0 {
        received(call, fd, result as isize, |touches, count| {
            touches.writes(events, count * size_of::<epoll_event>());
            for i in 0..count {
                // SAFETY: passed on.
                let event = unsafe { events.add(i).read_unaligned() };
                if event.events & CAN_BE_READ as u32 != 0 {
                    for member in watch::meant(fd, event.u64) {
                        descriptor::received(member);
                    }
                }
            }
        });
    }
    result
}

/// Goes over how long to wait, and the signals that may come meanwhile.
fn waits(call: &Call, patience: *const timespec, mask: *const sigset_t) {
    call.check(|touches| {
        touches.reads_one(patience);
        touches.reads_one(mask.cast::<Set>());
    });
}

/// Goes over the descriptors that are waited for.
fn polls(call: &Call, fds: *mut pollfd, count: nfds_t) {
    call.check(|touches| {
        for i in 0..count as usize {
            // SAFETY: the program's own table.
            let entry = unsafe { &raw mut *fds.add(i) };
            touches.reads(entry, 6);
            // SAFETY: as above.
            touches.writes_one(unsafe { &raw const (*entry).revents });
        }
    });
}

/// Has learnt which of them are ready.
///
/// # Safety
/// The table must be readable.
unsafe fn polled(call: &Call, fds: *mut pollfd, count: nfds_t, result: c_int) -> c_int {
    if result > 0 {
        call.check(|_| {
            for i in 0..count as usize {
                // SAFETY: passed on.
                let entry = unsafe { *fds.add(i) };
                if entry.revents & CAN_BE_READ != 0 {
                    descriptor::received(entry.fd);
                }
            }
        });
    }
    result
}

fn selects(call: &Call, count: c_int, sets: [*mut fd_set; 3]) {
    call.check(|touches| {
        let len = (count.max(0) as usize).div_ceil(64) * 8;
        for set in sets.into_iter().filter(|set| !set.is_null()) {
            touches.writes(set, len);
        }
    });
}

/// Has learnt which descriptors can be read from.
///
/// # Safety
/// The set must be null or have room for `count` descriptors.
unsafe fn selected(call: &Call, count: c_int, read: *const fd_set, result: c_int) -> c_int {
    if result > 0 && !read.is_null() {
        call.check(|_| {
            for fd in 0..count {
                // SAFETY: passed on. libc's own macro refuses descriptors that
                // programs with larger sets may use.
                let word = unsafe { *read.cast::<u64>().add(fd as usize / 64) };
                if word >> (fd % 64) & 1 != 0 {
                    descriptor::received(fd);
                }
            }
        });
    }
    result
}

library! {
    [always] fn epoll_ctl(fd: c_int, operation: c_int, target: c_int, event: *mut epoll_event) -> c_int |call, real| {
        let adds = operation != libc::EPOLL_CTL_DEL && !event.is_null();
        let mut before = None;
        call.check(|touches| {
            if adds {
                touches.reads_one(event);
                before = watch::adding(fd, target, event.read_unaligned().u64);
            }
            descriptor::used(target, touches.function);
            descriptor::sending(fd, touches.function);
        });
        let result = real(fd, operation, target, event);
        if result == 0 && !adds {
            call.check(|_| watch::removed(fd, target));
        } else if result != 0 && adds {
            call.check(|_| watch::refused(fd, target, before));
        }
        result
    }
    fn epoll_wait(fd: c_int, list: *mut epoll_event, room: c_int, patience: c_int) -> c_int |call, real| {
        uses(&call, fd);
        events(&call, fd, list, real(fd, list, room, patience))
    }
    fn epoll_pwait(fd: c_int, list: *mut epoll_event, room: c_int, patience: c_int, mask: *const sigset_t) -> c_int |call, real| {
        uses(&call, fd);
        waits(&call, null(), mask);
        events(&call, fd, list, real(fd, list, room, patience, mask))
    }
    fn epoll_pwait2(fd: c_int, list: *mut epoll_event, room: c_int, patience: *const timespec, mask: *const sigset_t) -> c_int |call, real| {
        uses(&call, fd);
        waits(&call, patience, mask);
        events(&call, fd, list, real(fd, list, room, patience, mask))
    }
    fn eventfd_write(fd: c_int, value: u64) -> c_int |call, real| {
        sends(&call, fd, |_| ());
        real(fd, value)
    }
    fn eventfd_read(fd: c_int, value: *mut u64) -> c_int |call, real| {
        uses(&call, fd);
        let result = real(fd, value);
        received(&call, fd, result as isize, |touches, _| touches.writes_one(value));
        result
    }
    fn timerfd_settime(fd: c_int, flags: c_int, new: *const itimerspec, old: *mut itimerspec) -> c_int |call, real| {
        sends(&call, fd, |touches| touches.reads_one(new));
        let result = real(fd, flags, new, old);
        if result == 0 {
            call.check(|touches| touches.writes_one(old));
        }
        result
    }
    fn timerfd_gettime(fd: c_int, now: *mut itimerspec) -> c_int |call, real| {
        uses(&call, fd);
        let result = real(fd, now);
        if result == 0 {
            call.check(|touches| touches.writes_one(now));
        }
        result
    }
    fn poll(fds: *mut pollfd, count: nfds_t, patience: c_int) -> c_int |call, real| {
        polls(&call, fds, count);
        polled(&call, fds, count, real(fds, count, patience))
    }
    fn __poll_chk(fds: *mut pollfd, count: nfds_t, patience: c_int, room: usize) -> c_int |call, real| {
        polls(&call, fds, count);
        polled(&call, fds, count, real(fds, count, patience, room))
    }
    fn ppoll(fds: *mut pollfd, count: nfds_t, patience: *const timespec, mask: *const sigset_t) -> c_int |call, real| {
        waits(&call, patience, mask);
        polls(&call, fds, count);
        polled(&call, fds, count, real(fds, count, patience, mask))
    }
    fn __ppoll_chk(fds: *mut pollfd, count: nfds_t, patience: *const timespec, mask: *const sigset_t, room: usize) -> c_int |call, real| {
        waits(&call, patience, mask);
        polls(&call, fds, count);
        polled(&call, fds, count, real(fds, count, patience, mask, room))
    }
    fn select(count: c_int, read: *mut fd_set, write: *mut fd_set, except: *mut fd_set, patience: *mut timeval) -> c_int |call, real| {
        selects(&call, count, [read, write, except]);
        // It says how much of that was left.
        call.check(|touches| touches.writes_one(patience));
        selected(&call, count, read, real(count, read, write, except, patience))
    }
    fn pselect(count: c_int, read: *mut fd_set, write: *mut fd_set, except: *mut fd_set, patience: *const timespec, mask: *const sigset_t) -> c_int |call, real| {
        waits(&call, patience, mask);
        selects(&call, count, [read, write, except]);
        selected(&call, count, read, real(count, read, write, except, patience, mask))
    }
    fn ioctl(fd: c_int, request: usize, argument: *mut c_void) -> c_int |call, real| {
        uses(&call, fd);
        real(fd, request, argument)
    }
}
