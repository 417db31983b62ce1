//! Functions of the heap called by their names, whoever they belong to: the
//! program, a library before libc, or the interceptors.

use core::ffi::c_void;

/// The function everybody calls by this name; null for a weak one that is not
/// there. In assembly, because the compiler takes two names for two addresses,
/// and has no weak ones.
macro_rules! symbol {
    ($name:literal) => {{
        let address: *const core::ffi::c_void;
        // SAFETY: reads a link-time or load-time constant.
        unsafe {
            core::arch::asm!(
                concat!(".weak ", $name),
                concat!("mov {address}, qword ptr [rip + ", $name, "@GOTPCREL]"),
                address = out(reg) address,
                options(pure, readonly, nostack),
            );
        }
        address
    }};
}
pub(in crate::intercept) use symbol;

/// The interceptor of that name.
#[cfg(not(test))]
macro_rules! own {
    ($name:literal) => {{
        let own: *const core::ffi::c_void;
        // SAFETY: computes a link-time constant.
        unsafe {
            core::arch::asm!(
                concat!("lea {own}, [rip + __racert_own_", $name, "]"),
                own = out(reg) own,
                options(pure, nomem, nostack),
            );
        }
        own
    }};
}
#[cfg(not(test))]
pub(in crate::intercept) use own;

/// Calls the function `$name`, whoever it belongs to, with words or pointers.
macro_rules! call {
    ($name:literal ($($arg:expr),*) as $type:ty) => {{
        let address = $crate::intercept::malloc::by_name::symbol!($name);
        // SAFETY: the type is that of the C++ declaration, the arguments are
        // the program's.
        unsafe { core::mem::transmute::<*const core::ffi::c_void, $type>(address)($($arg),*) }
    }};
}
pub(super) use call;

/// `malloc` and its like.
pub(super) type Allocate = extern "C" fn(usize) -> *mut c_void;
/// `aligned_alloc` and its like, in either order of arguments.
pub(super) type AllocateAligned = extern "C" fn(usize, usize) -> *mut c_void;
/// `free` and its like.
pub(super) type Free = extern "C" fn(*mut c_void);
/// `operator delete` with an alignment.
pub(super) type FreeAligned = extern "C" fn(*mut c_void, usize);
