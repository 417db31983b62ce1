//! The exported symbols.
//!
//! An interceptor is two functions: a stub under libc's name and an
//! implementation in Rust. The stub notes where it was called from (the return
//! address on top of the stack) in the thread-local block and jumps on with
//! every argument register untouched, so variadic functions work too.
//!
//! Stubs are weak: a program that brings its own `malloc` links without a
//! clash, and its own one wins.

/// Defines stubs: `interceptors! { "libc_name" => implementation, ... }`.
///
/// In test builds there are no stubs (the test runner keeps its own libc);
/// instead the names become a table for the tests.
macro_rules! interceptors {
    ($($name:expr => $implementation:path),+ $(,)?) => {
        $(
            #[cfg(not(test))]
            $crate::intercept::stub::stub_of!($name, $implementation);
        )+
        #[cfg(test)]
        pub(crate) const NAMES: &[(&str, *const ())] =
            &[$(($name, $implementation as *const ())),+];
    };
}
pub(crate) use interceptors;

/// The stub called `$name` for one implementation.
#[cfg(not(test))]
macro_rules! stub_of {
    ($name:expr, $implementation:path) => {
        core::arch::global_asm!(
            ".pushsection racert_stubs,\"ax\",@progbits",
            ".p2align 4",
            concat!(".weak ", $name),
            concat!(".type ", $name, ", @function"),
            concat!(".globl __racert_own_", $name),
            concat!(".hidden __racert_own_", $name),
            concat!($name, ":"),
            concat!("__racert_own_", $name, ":"),
            ".cfi_startproc",
            "mov r11, qword ptr [rip + __racert_tls@gottpoff]",
            "mov r10, qword ptr [rsp]",
            "mov qword ptr fs:[r11 + {caller}], r10",
            "jmp {implementation}",
            ".cfi_endproc",
            concat!(".size ", $name, ", . - ", $name),
            ".popsection",
            caller = const racert_abi::tls::CALLER,
            implementation = sym $implementation,
        );
    };
}
#[cfg(not(test))]
pub(crate) use stub_of;

/// A code address in the stub of the function called `$name`, as a stack has
/// it: one behind what it names.
macro_rules! code_of {
    ($name:expr) => {{
        #[inline(always)]
        fn address() -> usize {
            #[cfg(not(test))]
            {
                let address: usize;
                // SAFETY: computes the address of a label of this file's.
                unsafe {
                    core::arch::asm!(
                        concat!("lea {}, [rip + __racert_own_", $name, " + 1]"),
                        out(reg) address,
                        options(pure, nomem, nostack, preserves_flags),
                    );
                }
                address
            }
            #[cfg(test)]
            {
                concat!($name, "").as_ptr().addr()
            }
        }
        address()
    }};
}
pub(crate) use code_of;

#[cfg(not(test))]
unsafe extern "C" {
    #[link_name = "__start_racert_stubs"]
    static FIRST: u8;
    #[link_name = "__stop_racert_stubs"]
    static END: u8;
}

/// Is it the address of an intercepted function? Many places of the program
/// have it on top of their stacks.
pub(crate) fn is_stub(address: u64) -> bool {
    #[cfg(not(test))]
    {
        let stubs = (&raw const FIRST).addr()..(&raw const END).addr();
        stubs.contains(&(address as usize))
    }
    #[cfg(test)]
    {
        address == u64::MAX
    }
}

#[cfg(test)]
mod tests {
    use super::super::all_names;

    #[test]
    fn no_name_is_intercepted_twice() {
        let mut names = all_names();
        names.sort_unstable();
        let count = names.len();
        assert!(count > 0);
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
