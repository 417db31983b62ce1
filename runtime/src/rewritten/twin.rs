//! Libraries that the program opens while it runs.
//!
//! The rewriter is not in the runtime: the tool that started the program says
//! where the rewritten twin of a library is, and makes it if need be.

use crate::spin::SpinLock;
use crate::{loaded, os};
use alloc::ffi::CString;
use alloc::vec::Vec;
use core::ffi::{CStr, c_char};
use core::sync::atomic::{AtomicPtr, Ordering};

/// The tool, if it is to be asked; null if not.
static TOOL: AtomicPtr<c_char> = AtomicPtr::new(core::ptr::null_mut());

/// What was asked before.
static KNOWN: SpinLock<Vec<(Vec<u8>, Vec<CString>)>> = SpinLock::new(Vec::new());

const DT_RPATH: usize = 15;
const DT_RUNPATH: usize = 29;

/// The tool at `path` is to be asked.
pub(super) fn ask(path: &str) {
    if let Ok(path) = CString::new(path) {
        TOOL.store(path.into_raw(), Ordering::Release);
    }
}

/// Paths of the rewritten twins of the library `name` as the code at `caller`
/// would get it: first of those it needs, at last its own. Empty if it is to be
/// loaded as it is. The caller has entered the runtime.
pub(crate) fn of(name: &CStr, caller: usize) -> Vec<CString> {
    let tool = TOOL.load(Ordering::Acquire);
    if tool.is_null() {
        return Vec::new();
    }
    let known = |name: &[u8]| {
        let known = KNOWN.lock();
        let found = known.iter().find(|(other, _)| other == name);
        found.map(|(_, twins)| twins.clone())
    };
    let from = if name.to_bytes().contains(&b'/') {
        None
    } else {
        searching(caller)
    };
    let mut key = name.to_bytes().to_vec();
    if let Some(from) = &from {
        key.push(0);
        key.extend(from.to_bytes());
    }
    if let Some(twins) = known(&key) {
        return twins;
    }
    // SAFETY: set once, never freed.
    let tool = unsafe { CStr::from_ptr(tool) };
    let mut arguments = alloc::vec![tool, c"twin", c"--", name];
    arguments.extend(from.as_deref());
    let answer = os::output_of(&arguments).unwrap_or_default();
    let lines = answer.split(|byte| *byte == b'\n');
    let lines = lines.filter(|line| !line.is_empty());
    let twins: Vec<CString> = lines.filter_map(|line| CString::new(line).ok()).collect();
    KNOWN.lock().push((key, twins.clone()));
    twins
}

/// The file of the module at `pc`, if it says where libraries are searched for.
/// An empty name is the program's own.
pub(crate) fn searching(pc: usize) -> Option<CString> {
    loaded::module_at(pc, |info, headers| {
        let section = loaded::dynamic_section(info, headers)?;
        let searches = |[tag, _]: [usize; 2]| matches!(tag, DT_RPATH | DT_RUNPATH);
        if info.dlpi_name.is_null() || !loaded::entries(section).any(searches) {
            return None;
        }
        // SAFETY: the loaded file's own name.
        Some(unsafe { CStr::from_ptr(info.dlpi_name) }.into())
    })
}

/// Keeps everybody else out until the process has forked.
pub(crate) fn before_fork() {
    KNOWN.hold();
}

/// Opens the lock after a fork, in parent and child.
///
/// # Safety
/// As [`SpinLock::force_unlock`].
pub(crate) unsafe fn after_fork() {
    // SAFETY: passed on.
    unsafe { KNOWN.force_unlock() }
}
