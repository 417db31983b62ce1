//! The functions behind the interceptors: libc's own, found by `dlsym`.
//!
//! All of them are looked up when the runtime starts, because `dlsym` takes
//! the loader's lock: a first call made while another thread sits in a
//! `dlopen` that waits for it would hang. A function called before that is
//! looked up at its first use.

use core::ffi::{CStr, c_char, c_void};
use core::marker::PhantomData;
use core::mem::transmute_copy;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicPtr, Ordering};

/// Marks a function that was looked up and is not there.
const ABSENT: *mut c_void = core::ptr::dangling_mut();

unsafe extern "C" {
    fn dlvsym(handle: *mut c_void, name: *const c_char, version: *const c_char) -> *mut c_void;
}

/// One function of the next library, of type `F` (a function pointer).
pub(super) struct Next<F> {
    name: &'static CStr,
    version: Option<&'static CStr>,
    address: AtomicPtr<c_void>,
    function: PhantomData<fn() -> F>,
}

impl<F: Copy> Next<F> {
    /// The default version of `name`.
    ///
    /// # Safety
    /// `F` must be the type of a pointer to that function.
    pub(super) const unsafe fn new(name: &'static CStr, version: Option<&'static CStr>) -> Self {
        assert!(size_of::<F>() == size_of::<*mut c_void>());
        Next {
            name,
            version,
            address: AtomicPtr::new(null_mut()),
            function: PhantomData,
        }
    }

    /// The function, if the program has it.
    #[inline]
    pub(super) fn find(&self) -> Option<F> {
        let mut address = self.address.load(Ordering::Relaxed);
        if address.is_null() {
            address = self.look_up();
        }
        // SAFETY: `F` is a function pointer, by the constructor's contract.
        (address != ABSENT).then(|| unsafe { transmute_copy(&address) })
    }

    /// The function, which every supported libc has.
    #[inline]
    pub(super) fn get(&self) -> F {
        match self.find().or_else(|| self.find_in_private()) {
            Some(function) => function,
            None => panic!("libc has no function {:?}", self.name),
        }
    }

    /// The function of a C++ library that was loaded for one part of the
    /// program alone: a preloaded runtime does not have it behind itself.
    #[cold]
    fn find_in_private(&self) -> Option<F> {
        if !self.name.to_bytes().starts_with(b"_Z") {
            return None;
        }
        let _inside = crate::tls::enter();
        let flags = libc::RTLD_LAZY | libc::RTLD_NOLOAD;
        // SAFETY: two C strings; the library stays loaded as long as whoever
        // calls its functions.
        let address = unsafe {
            let library = libc::dlopen(c"libstdc++.so.6".as_ptr(), flags);
            if library.is_null() {
                libc::dlerror();
                return None;
            }
            libc::dlsym(library, self.name.as_ptr())
        };
        if address.is_null() {
            return None;
        }
        self.address.store(address, Ordering::Relaxed);
        // SAFETY: as above.
        Some(unsafe { transmute_copy(&address) })
    }

    /// The function if it was looked up before.
    #[inline]
    pub(super) fn known(&self) -> Option<F> {
        let address = self.address.load(Ordering::Relaxed);
        // SAFETY: as above.
        (!address.is_null() && address != ABSENT).then(|| unsafe { transmute_copy(&address) })
    }

    #[cold]
    fn look_up(&self) -> *mut c_void {
        // What the lookup itself allocates is none of the program's business.
        let _inside = crate::tls::enter();
        let name = self.name.as_ptr();
        let mut address = null_mut();
        if let Some(version) = self.version {
            // SAFETY: two C strings.
            address = unsafe { dlvsym(libc::RTLD_NEXT, name, version.as_ptr()) };
        }
        if address.is_null() {
            // SAFETY: a C string.
            address = unsafe { libc::dlsym(libc::RTLD_NEXT, name) };
        }
        if address.is_null() {
            // The program must not meet this failure in its own dlerror.
            // SAFETY: takes no arguments.
            unsafe { libc::dlerror() };
            address = ABSENT;
        }
        self.address.store(address, Ordering::Relaxed);
        address
    }
}

/// Declares the real functions of a module and `look_up_all`, which finds them:
/// `next! { LOCK = "pthread_mutex_lock": fn(*mut c_void) -> c_int; ... }`.
macro_rules! next {
    ($($id:ident = $name:literal $(@ $version:literal)?:
        fn($($arg:ty),* $(,)?) $(-> $ret:ty)?;)+) => {
        $(
            static $id: $crate::intercept::next::Next<
                unsafe extern "C" fn($($arg),*) $(-> $ret)?,
            > = {
                let version = next!(@version $($version)?);
                // SAFETY: the type is that of the C declaration.
                unsafe { $crate::intercept::next::Next::new($name, version) }
            };
        )+

        /// Finds every function this module stands in front of.
        pub(super) fn look_up_all() {
            $( let _ = $id.find(); )+
        }
    };
    (@version) => { None };
    (@version $version:literal) => { Some($version) };
}
pub(super) use next;

#[cfg(test)]
mod tests {
    use super::*;
    use core::ffi::c_int;

    #[test]
    fn finds_libc_functions_and_remembers_absent_ones() {
        // SAFETY: getpid's type.
        let getpid: Next<unsafe extern "C" fn() -> c_int> =
            unsafe { Next::new(c"getpid", Some(c"GLIBC_2.2.5")) };
        // SAFETY: takes no arguments.
        assert_eq!(unsafe { getpid.get()() } as u32, std::process::id());
        // SAFETY: never called.
        let missing: Next<unsafe extern "C" fn()> =
            unsafe { Next::new(c"racert_no_such_function", None) };
        assert!(missing.find().is_none());
        assert!(missing.find().is_none());
        // SAFETY: takes no arguments.
        assert!(unsafe { libc::dlerror() }.is_null());
    }
}
