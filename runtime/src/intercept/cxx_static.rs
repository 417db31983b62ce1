//! The C++ library linked into the program (`-static-libstdc++`).
//!
//! Its functions win over the interceptors of the same name. Instrumented code
//! therefore calls those of [`racert_abi::cxx::FUNCTIONS`] by other names, which
//! lead here, and from here to whoever has the function.

use super::foreign::Foreign;
use core::ffi::c_void;
use core::mem::transmute_copy;

/// Defines the functions that instrumented code calls.
macro_rules! cxx_calls {
    ($($name:literal => $implementation:path),+ $(,)?) => {
        $(
            #[cfg(not(test))]
            core::arch::global_asm!(
                ".pushsection racert_stubs,\"ax\",@progbits",
                ".p2align 4",
                concat!(".weak __racert_cxx_", $name),
                concat!(".type __racert_cxx_", $name, ", @function"),
                concat!("__racert_cxx_", $name, ":"),
                ".cfi_startproc",
                "mov r11, qword ptr [rip + __racert_tls@gottpoff]",
                "mov r10, qword ptr [rsp]",
                "mov qword ptr fs:[r11 + {caller}], r10",
                "jmp {implementation}",
                ".cfi_endproc",
                concat!(".size __racert_cxx_", $name, ", . - __racert_cxx_", $name),
                ".popsection",
                caller = const racert_abi::tls::CALLER,
                implementation = sym $implementation,
            );
        )+

        #[cfg(test)]
        pub(super) const NAMES: &[(&str, *const ())] =
            &[$(($name, $implementation as *const ())),+];
    };
}

cxx_calls! {
    "_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv" => super::cxx_exception::release,
    "__cxa_decrement_exception_refcount" => super::cxx_exception::decrement,
    "__cxa_end_catch" => super::cxx_exception::end_catch,
    "_ZNSt13__future_base13_State_baseV211_Make_ready6_M_setEv" => super::cxx_future::set,
}

/// The program's own function of a name that an interceptor has, too; null if
/// the interceptor has it alone.
macro_rules! linked_in {
    ($name:literal) => {{
        #[cfg(test)]
        let address = core::ptr::null();
        #[cfg(not(test))]
        let address = {
            let address = $crate::intercept::malloc::by_name::symbol!($name);
            let own = $crate::intercept::malloc::by_name::own!($name);
            if address == own {
                core::ptr::null()
            } else {
                address
            }
        };
        address
    }};
}
pub(super) use linked_in;

/// The function at `linked_in`, or else that of a library.
pub(super) fn choose<F: Copy>(linked_in: *const c_void, library: &Foreign<F>) -> Option<F> {
    if linked_in.is_null() {
        return library.find();
    }
    // SAFETY: a function of the same name, and a pointer by `Foreign`'s contract.
    Some(unsafe { transmute_copy(&linked_in) })
}

#[cfg(test)]
mod tests {
    use super::NAMES;

    #[test]
    fn every_function_that_the_pass_renames_is_here() {
        let names: Vec<&str> = NAMES.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, racert_abi::cxx::FUNCTIONS);
    }
}
