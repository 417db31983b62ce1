//! Opening of libraries.
//!
//! A library that has a rewritten twin is opened as that. The loader looks at
//! who asks: where libraries are searched for is written in the asking module.
//! So a name that is searched for in that way is left to the loader in the
//! asker's own name, by a jump.

use super::next::next;
use super::section;
use super::stub::interceptors;
use crate::{loading, rewritten, tls};
use core::ffi::{CStr, c_char, c_int, c_void};

next! {
    DLOPEN = c"dlopen": fn(*const c_char, c_int) -> *mut c_void;
}

interceptors! {
    "dlopen" => dlopen,
}

/// How to go on.
#[repr(C)]
struct Answer {
    /// It is done.
    done: usize,
    /// Then the handle, otherwise where to jump.
    value: usize,
}

/// Calls [`begin`] and jumps on if that did nothing.
#[cfg(not(test))]
#[unsafe(naked)]
extern "C" fn dlopen(_name: *const c_char, _flags: c_int) -> *mut c_void {
    core::arch::naked_asm!(
        "push rdi",
        "push rsi",
        "sub rsp, 8",
        "call {begin}",
        "add rsp, 8",
        "pop rsi",
        "pop rdi",
        "test rax, rax",
        "jz 2f",
        "mov rax, rdx",
        "ret",
        "2: jmp rdx",
        begin = sym begin,
    )
}

#[cfg(test)]
extern "C" fn dlopen(name: *const c_char, flags: c_int) -> *mut c_void {
    // SAFETY: as the program would call it.
    match unsafe { begin(name, flags) } {
        Answer { done: 0, .. } => core::ptr::null_mut(),
        answer => answer.value as *mut c_void,
    }
}

// The real call runs the library's constructors, outside of the runtime; they
// do not unwind, so owning a list across it does no harm.
unsafe extern "C" fn begin(name: *const c_char, flags: c_int) -> Answer {
    let real = DLOPEN.get();
    let jump = Answer {
        done: 0,
        value: real as *const () as usize,
    };
    let caller = tls::caller();
    if name.is_null() {
        return jump;
    }
    // SAFETY: the program's own argument.
    let name = unsafe { CStr::from_ptr(name) };
    let found = section(|| {
        let is_searched = !name.to_bytes().contains(&b'/');
        let is_askers = is_searched && rewritten::searching(caller).is_some();
        (rewritten::twins_of(name, caller), is_askers)
    });
    let Some((twins, is_askers)) = found else {
        return jump;
    };
    let mut handle = core::ptr::null_mut();
    if let Some((twin, needed)) = twins.split_last() {
        // Loaded before, they are what the loader finds under their names.
        for library in needed {
            // SAFETY: a path of the tool's.
            unsafe {
                real(
                    library.as_ptr(),
                    libc::RTLD_LAZY | flags & libc::RTLD_NOLOAD,
                )
            };
        }
        // SAFETY: as above, with the program's flags.
        handle = unsafe { real(twin.as_ptr(), flags) };
    }
    if handle.is_null() {
        if is_askers {
            return jump;
        }
        // SAFETY: the program's own arguments.
        handle = unsafe { real(name.as_ptr(), flags) };
    }
    if !handle.is_null() {
        section(|| {
            rewritten::scan_modules();
            loading::opened(handle, caller);
            #[cfg(not(test))]
            super::redirect_libraries();
        });
    }
    Answer {
        done: 1,
        value: handle as usize,
    }
}
