//! What a program or its test framework can learn of findings:
//! `racert/api.h`.
//!
//! The last finding's text is kept for who asks; a function that the program
//! named is called with each finding, on the program's own stack, after the
//! report was written and with no lock of the runtime's held.

mod plain;

use crate::intercept::stub::interceptors;
use crate::internal_error;
use crate::spin::SpinLock;
use crate::tls;
use alloc::string::String;
use alloc::vec::Vec;
use core::ffi::{c_char, c_int, c_ulong, c_void};
use core::sync::atomic::{AtomicUsize, Ordering};

interceptors! {
    "__racert_api_on_finding" => on_finding,
    "__racert_api_count" => count,
    "__racert_api_last" => last,
}

/// A finding as it is told.
pub(crate) struct Told {
    /// As in records, ending in a zero byte.
    kind: Vec<u8>,
    fingerprint: Vec<u8>,
    text: Vec<u8>,
    /// Does it change the exit status?
    fails: bool,
}

impl Told {
    /// A finding of `kind` with the report `text`, which `fails` the program
    /// or not.
    pub(crate) fn new(kind: &str, fingerprint: &str, text: &str, fails: bool) -> Told {
        let ended = |text: &str| {
            let mut bytes = text.as_bytes().to_vec();
            bytes.retain(|byte| *byte != 0);
            bytes.push(0);
            bytes
        };
        Told {
            kind: ended(kind),
            fingerprint: ended(fingerprint),
            text: ended(&plain::without_colors(text)),
            fails,
        }
    }
}

/// `struct racert_finding`
#[repr(C)]
struct Finding {
    kind: *const c_char,
    fingerprint: *const c_char,
    text: *const c_char,
    fails: c_int,
}

type Callback = unsafe extern "C" fn(*const Finding, *mut c_void);

/// The function to call, and what it wants to be called with.
static CALLBACK: SpinLock<(usize, usize)> = SpinLock::new((0, 0));
static LAST: SpinLock<String> = SpinLock::new(String::new());
/// Findings that fail the program.
static COUNT: AtomicUsize = AtomicUsize::new(0);

/// Tells the program of a finding.
pub(crate) fn tell(told: &Told) {
    if told.fails {
        COUNT.fetch_add(1, Ordering::Relaxed);
    }
    let text = String::from_utf8_lossy(&told.text[..told.text.len() - 1]);
    *LAST.lock() = text.into_owned();
    let (function, data) = *CALLBACK.lock();
    if function == 0 {
        return;
    }
    let finding = Finding {
        kind: told.kind.as_ptr().cast(),
        fingerprint: told.fingerprint.as_ptr().cast(),
        text: told.text.as_ptr().cast(),
        fails: told.fails.into(),
    };
    // SAFETY: the program gave it for this.
    unsafe {
        let function: Callback = core::mem::transmute(function);
        function(&raw const finding, data as *mut c_void);
    }
}

/// Runs `f` inside the runtime, where the thread is already if it asks from
/// its [`Callback`].
fn inside<R>(f: impl FnOnce() -> R) -> Option<R> {
    let _inside = tls::enter();
    internal_error::caught(f)
}

/// Has `function` called with each finding and `data`; null: no more.
extern "C" fn on_finding(function: Option<Callback>, data: *mut c_void) {
    let function = function.map_or(0, |function| function as usize);
    inside(|| *CALLBACK.lock() = (function, data.addr()));
}

/// How many findings have failed the program so far.
extern "C" fn count() -> c_ulong {
    COUNT.load(Ordering::Relaxed) as c_ulong
}

/// Copies the last finding's text to `room`, of which there are `size` bytes,
/// and gives its length; it ends in a zero byte if `size` is not 0.
extern "C" fn last(room: *mut c_char, size: c_ulong) -> c_ulong {
    let length = inside(|| {
        let last = LAST.lock();
        if !room.is_null() && size > 0 {
            let fits = last.len().min(size as usize - 1);
            // SAFETY: the program's own memory of that size.
            unsafe {
                room.cast::<u8>()
                    .copy_from_nonoverlapping(last.as_ptr(), fits);
                room.add(fits).write(0);
            }
        }
        last.len() as c_ulong
    });
    length.unwrap_or_else(|| {
        if !room.is_null() && size > 0 {
            // SAFETY: as above.
            unsafe { room.write(0) };
        }
        0
    })
}

/// Keeps everybody else out until the process has forked.
pub(crate) fn before_fork() {
    CALLBACK.hold();
    LAST.hold();
}

/// Opens the locks after a fork, in parent and child.
///
/// # Safety
/// As [`SpinLock::force_unlock`].
pub(crate) unsafe fn after_fork() {
    // SAFETY: passed on.
    unsafe {
        LAST.force_unlock();
        CALLBACK.force_unlock();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    unsafe extern "C" fn note(finding: *const Finding, data: *mut c_void) {
        // SAFETY: as the test passes them.
        unsafe {
            let text = core::ffi::CStr::from_ptr((*finding).text);
            (*data.cast::<Vec<String>>()).push(text.to_str().unwrap().into());
        }
    }

    #[test]
    fn a_finding_is_told_counted_and_kept() {
        let mut notes: Vec<String> = Vec::new();
        let before = count();
        on_finding(Some(note), (&raw mut notes).cast());
        tell(&Told::new("data-race", "12", "\x1b[1mracy\x1b[0m\n", true));
        tell(&Told::new("possible-data-race", "34", "perhaps\n", false));
        on_finding(None, core::ptr::null_mut());
        tell(&Told::new("data-race", "56", "untold", true));
        assert_eq!(notes, ["racy\n", "perhaps\n"]);
        assert_eq!(count() - before, 2);
        let mut room = [1i8 as c_char; 4];
        assert_eq!(last(room.as_mut_ptr(), 4), 6);
        assert_eq!(room.map(|c| c as u8), *b"unt\0");
        assert_eq!(last(core::ptr::null_mut(), 0), 6);
    }
}
