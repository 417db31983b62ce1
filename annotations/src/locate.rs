//! Finding a function of the runtime by name, once.
//!
//! Stable Rust has no weak symbols, so the dynamic linker is asked. The
//! executables racert links export the functions.

use std::ffi::{CStr, c_char, c_void};
use std::marker::PhantomData;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::{mem, ptr};

unsafe extern "C" {
    fn dlsym(handle: *mut c_void, name: *const c_char) -> *mut c_void;
}

/// A function pointer of type `F` that may or may not be in this process.
pub(crate) struct Function<F> {
    name: &'static CStr,
    /// [`UNKNOWN`] until first asked, then the address or null.
    address: AtomicPtr<c_void>,
    kind: PhantomData<F>,
}

/// An address no function has.
const UNKNOWN: *mut c_void = ptr::without_provenance_mut(usize::MAX);

impl<F: Copy> Function<F> {
    /// A function that is looked up when first used.
    pub(crate) const fn new(name: &'static CStr) -> Self {
        const { assert!(size_of::<F>() == size_of::<*mut c_void>()) };
        Function {
            name,
            address: AtomicPtr::new(UNKNOWN),
            kind: PhantomData,
        }
    }

    /// The function, if the process has it.
    pub(crate) fn get(&self) -> Option<F> {
        // Relaxed: the address is the whole message, and every thread that
        // looks it up itself finds the same.
        let mut address = self.address.load(Ordering::Relaxed);
        if address == UNKNOWN {
            // SAFETY: the name is NUL-terminated; a null handle searches all
            // loaded objects (RTLD_DEFAULT).
            address = unsafe { dlsym(ptr::null_mut(), self.name.as_ptr()) };
            self.address.store(address, Ordering::Relaxed);
        }
        if address.is_null() {
            return None;
        }
        // SAFETY: F is a function pointer (it has the size of one, and the
        // crate only instantiates it so) with the signature of that name.
        Some(unsafe { mem::transmute_copy(&address) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn present_functions_are_found_and_absent_ones_are_not() {
        type Abs = extern "C" fn(i32) -> i32;
        static ABS: Function<Abs> = Function::new(c"abs");
        static NONE: Function<Abs> = Function::new(c"racert_has_no_such_function");
        for _ in 0..2 {
            assert_eq!(ABS.get().map(|abs| abs(-7)), Some(7));
            assert!(NONE.get().is_none());
        }
    }
}
