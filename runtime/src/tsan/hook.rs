//! Functions that a program may define for the runtime to call.

use core::ffi::{CStr, c_char, c_int, c_void};

/// The address of a function the program may or may not have: 0 if not.
macro_rules! weak {
    ($name:literal) => {{
        let address: usize;
        // SAFETY: reads an entry of the global offset table, which the linker
        // leaves 0 for a weak symbol nobody defines.
        unsafe {
            core::arch::asm!(
                concat!(".weak ", $name),
                concat!("mov {}, qword ptr [rip + ", $name, "@GOTPCREL]"),
                out(reg) address,
                options(pure, readonly, nostack, preserves_flags),
            );
        }
        address
    }};
}

fn text_from(function: usize) -> Option<&'static CStr> {
    if function == 0 {
        return None;
    }
    // SAFETY: the program's function of that name has this type and returns a
    // string that stays, or null.
    unsafe {
        let function: extern "C" fn() -> *const c_char = core::mem::transmute(function);
        let text = function();
        (!text.is_null()).then(|| CStr::from_ptr(text))
    }
}

/// What `__tsan_default_options` returns.
pub fn default_options() -> Option<&'static CStr> {
    text_from(weak!("__tsan_default_options"))
}

/// What `__racert_default_options` returns: options as in `RACERT_OPTIONS`.
pub fn own_default_options() -> Option<&'static CStr> {
    text_from(weak!("__racert_default_options"))
}

/// What `__tsan_default_suppressions` returns.
pub fn default_suppressions() -> Option<&'static CStr> {
    text_from(weak!("__tsan_default_suppressions"))
}

/// Tells the program's `__tsan_on_initialize` that the runtime is up.
pub fn on_initialize() {
    let function = weak!("__tsan_on_initialize");
    if function != 0 {
        // SAFETY: as above.
        unsafe {
            let function: extern "C" fn() = core::mem::transmute(function);
            function();
        }
    }
}

/// Tells the program's `__tsan_on_report` about a report.
pub fn on_report(report: *mut c_void) {
    let function = weak!("__tsan_on_report");
    if function != 0 {
        // SAFETY: as above.
        unsafe {
            let function: extern "C" fn(*mut c_void) = core::mem::transmute(function);
            function(report);
        }
    }
}

/// Asks the program's `__tsan_on_finalize` whether the process failed.
pub fn on_finalize(failed: bool) -> bool {
    let function = weak!("__tsan_on_finalize");
    if function == 0 {
        return failed;
    }
    // SAFETY: as above.
    unsafe {
        let function: extern "C" fn(c_int) -> c_int = core::mem::transmute(function);
        function(c_int::from(failed)) != 0
    }
}
