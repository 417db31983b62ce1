//! Streams that collect a text in memory: whenever they are flushed, and at
//! their end, they tell the program where it is and how long.

use super::block::lock_of;
use crate::intercept::library::{Call, library};
use crate::sync::channel;
use core::ffi::c_void;
use core::sync::atomic::{AtomicUsize, Ordering};
use libc::FILE;

/// A stream that is open, and the variables that it writes.
struct Open {
    /// Its address; 0 if nothing is here, 1 if something is about to be.
    stream: AtomicUsize,
    text: AtomicUsize,
    len: AtomicUsize,
}

const FREE: usize = 0;
const TAKEN: usize = 1;

/// How many are known at a time: others are not looked at.
const MOST: usize = 64;

static OPEN: [Open; MOST] = [const {
    Open {
        stream: AtomicUsize::new(FREE),
        text: AtomicUsize::new(0),
        len: AtomicUsize::new(0),
    }
}; MOST];
/// How many there may be.
static COUNT: AtomicUsize = AtomicUsize::new(0);

fn add(stream: *mut FILE, text: *mut c_void, len: *mut usize) {
    let take = |open: &&Open| {
        let place = &open.stream;
        place
            .compare_exchange(FREE, TAKEN, Ordering::Acquire, Ordering::Relaxed)
            .is_ok()
    };
    if let Some(open) = OPEN.iter().find(take) {
        COUNT.fetch_add(1, Ordering::Relaxed);
        open.text.store(text.addr(), Ordering::Relaxed);
        open.len.store(len.addr(), Ordering::Relaxed);
        open.stream.store(stream.addr(), Ordering::Release);
    }
}

fn find(stream: *mut FILE) -> Option<&'static Open> {
    if COUNT.load(Ordering::Relaxed) == 0 || stream.is_null() {
        return None;
    }
    let is_it = |open: &&Open| open.stream.load(Ordering::Acquire) == stream.addr();
    OPEN.iter().find(is_it)
}

/// Checks the variables of `stream`, if it is such a one, which it has just
/// written while it was locked.
pub(super) fn flushed(call: &Call, stream: *mut FILE) {
    if let Some(open) = find(stream) {
        call.check(|touches| {
            channel::receive(lock_of(stream));
            for variable in [&open.text, &open.len] {
                let variable = variable.load(Ordering::Relaxed) as *const usize;
                touches.writes_one(variable);
            }
            channel::send(lock_of(stream));
        });
    }
}

/// As [`flushed`], before the end of the stream.
pub(in crate::intercept) fn closing(call: &Call, stream: *mut FILE) {
    flushed(call, stream);
    if let Some(open) = find(stream) {
        open.stream.store(FREE, Ordering::Release);
        COUNT.fetch_sub(1, Ordering::Relaxed);
    }
}

library! {
    [always] fn open_memstream(text: *mut c_void, len: *mut usize) -> *mut FILE |_, real| {
        let stream = real(text, len);
        if !stream.is_null() {
            add(stream, text, len);
        }
        stream
    }
    [always] fn open_wmemstream(text: *mut c_void, len: *mut usize) -> *mut FILE |_, real| {
        let stream = real(text, len);
        if !stream.is_null() {
            add(stream, text, len);
        }
        stream
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_are_known_until_they_are_closed() {
        let stream = 0x1000 as *mut FILE;
        assert!(find(stream).is_none());
        add(stream, 0x10 as *mut c_void, 0x20 as *mut usize);
        assert_eq!(find(stream).unwrap().len.load(Ordering::Relaxed), 0x20);
        assert!(find(core::ptr::null_mut()).is_none());
        for i in 0..2 * MOST {
            add(
                (0x2000 + i) as *mut FILE,
                core::ptr::null_mut(),
                core::ptr::null_mut(),
            );
        }
        assert!(find(0x2000 as *mut FILE).is_some());
        assert!(find((0x2000 + MOST) as *mut FILE).is_none());
    }
}
