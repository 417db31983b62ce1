//! Findings, for programs and test frameworks.
//!
//! ```
//! use racert_annotations::findings;
//!
//! let mark = findings::mark();
//! // ... what is to be tested ...
//! assert_eq!(mark.count(), 0, "{}", findings::last().unwrap_or_default());
//! ```
//!
//! Without the racert runtime in the process there are no findings.

use std::ffi::{CStr, c_char, c_int, c_ulong, c_void};
use std::ptr;
use std::sync::{Mutex, PoisonError};

use crate::locate::Function;

#[repr(C)]
struct Raw {
    kind: *const c_char,
    fingerprint: *const c_char,
    text: *const c_char,
    fails: c_int,
}

type OnFinding =
    unsafe extern "C" fn(Option<unsafe extern "C" fn(*const Raw, *mut c_void)>, *mut c_void);

static ON_FINDING: Function<OnFinding> = Function::new(c"__racert_api_on_finding");
static COUNT: Function<unsafe extern "C" fn() -> c_ulong> = Function::new(c"__racert_api_count");
static LAST: Function<unsafe extern "C" fn(*mut c_char, c_ulong) -> c_ulong> =
    Function::new(c"__racert_api_last");

/// A finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// As in records: `data-race`, `deadlock` and so on.
    pub kind: String,
    /// As in records; empty if there is none.
    pub fingerprint: String,
    /// The whole report, without colours.
    pub text: String,
    /// Does it change the exit status?
    pub fails: bool,
}

/// A point in time to count findings from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark(c_ulong);

/// Is racert in this process?
pub fn are_looked_for() -> bool {
    COUNT.get().is_some()
}

/// Now.
pub fn mark() -> Mark {
    // SAFETY: takes no arguments.
    Mark(COUNT.get().map_or(0, |count| unsafe { count() }))
}

impl Mark {
    /// Findings since then, of all threads, that change the exit status.
    pub fn count(self) -> usize {
        mark().0.wrapping_sub(self.0) as usize
    }
}

/// The report of the last finding.
pub fn last() -> Option<String> {
    let last = LAST.get()?;
    // SAFETY: asks for the length alone.
    let length = unsafe { last(ptr::null_mut(), 0) };
    if length == 0 {
        return None;
    }
    let mut room = vec![0u8; length as usize + 1];
    // SAFETY: room for as many bytes; a longer text that came meanwhile is cut.
    unsafe { last(room.as_mut_ptr().cast(), room.len() as c_ulong) };
    let text = CStr::from_bytes_until_nul(&room).ok()?;
    Some(text.to_string_lossy().into_owned())
}

type Callback = Box<dyn FnMut(&Finding) + Send>;

static CALLBACK: Mutex<Option<Callback>> = Mutex::new(None);

/// Has `callback` called with each finding, in the thread that came upon it,
/// in place of the one given before. What it does is not checked.
pub fn on_finding(callback: impl FnMut(&Finding) + Send + 'static) {
    *CALLBACK.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(callback));
    if let Some(register) = ON_FINDING.get() {
        // SAFETY: the function stays.
        unsafe { register(Some(found), ptr::null_mut()) };
    }
}

unsafe extern "C" fn found(raw: *const Raw, _data: *mut c_void) {
    // SAFETY: the runtime passes a finding with strings that end in a zero
    // byte.
    let finding = unsafe {
        let text = |text: *const c_char| CStr::from_ptr(text).to_string_lossy().into_owned();
        Finding {
            kind: text((*raw).kind),
            fingerprint: text((*raw).fingerprint),
            text: text((*raw).text),
            fails: (*raw).fails != 0,
        }
    };
    // One that comes upon a finding itself is not called once more.
    if let Ok(mut callback) = CALLBACK.try_lock()
        && let Some(callback) = callback.as_mut()
    {
        callback(&finding);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_racert_there_are_none() {
        assert!(!are_looked_for());
        let mark = mark();
        assert_eq!(mark.count(), 0);
        assert_eq!(last(), None);
        on_finding(|_| ());
    }

    #[test]
    fn what_the_runtime_tells() {
        use std::sync::Arc;
        let told = Arc::new(Mutex::new(Vec::new()));
        let notes = told.clone();
        *CALLBACK.lock().unwrap() = Some(Box::new(move |finding: &Finding| {
            notes.lock().unwrap().push(finding.clone());
        }));
        let raw = Raw {
            kind: c"data-race".as_ptr(),
            fingerprint: c"12".as_ptr(),
            text: c"WARNING".as_ptr(),
            fails: 1,
        };
        // SAFETY: as the runtime calls it.
        unsafe { found(&raw const raw, ptr::null_mut()) };
        let told = told.lock().unwrap();
        assert_eq!(told.len(), 1);
        assert_eq!(told[0].kind, "data-race");
        assert!(told[0].fails);
    }
}
