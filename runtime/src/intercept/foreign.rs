//! The functions behind interceptors of other libraries than libc.
//!
//! Such a library may not be there, may be loaded later, and may then be out of
//! sight of the executable. So its functions are looked up at their first call,
//! when the library that was meant is loaded for sure.

use core::ffi::{CStr, c_void};
use core::marker::PhantomData;
use core::mem::transmute_copy;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicPtr, Ordering};

/// One function of a library, of type `F` (a function pointer).
pub(super) struct Foreign<F> {
    name: &'static CStr,
    libraries: &'static [&'static CStr],
    address: AtomicPtr<c_void>,
    function: PhantomData<fn() -> F>,
}

impl<F: Copy> Foreign<F> {
    /// The function called `name` of one of `libraries`.
    ///
    /// # Safety
    /// `F` must be the type of a pointer to that function.
    pub(super) const unsafe fn new(
        name: &'static CStr,
        libraries: &'static [&'static CStr],
    ) -> Self {
        assert!(size_of::<F>() == size_of::<*mut c_void>());
        Foreign {
            name,
            libraries,
            address: AtomicPtr::new(null_mut()),
            function: PhantomData,
        }
    }

    /// The function, which somebody has just called.
    #[inline]
    pub(super) fn get(&self) -> F {
        match self.find_or_load() {
            Some(function) => function,
            None => panic!("{:?} is called, and in no library", self.name),
        }
    }

    /// The function, if its library is on the machine.
    #[inline]
    pub(super) fn find_or_load(&self) -> Option<F> {
        self.find().or_else(|| self.load())
    }

    /// The function, of a library that is not loaded: a linker leaves one out
    /// of which the program needs nothing but what the interceptors stand for.
    #[cold]
    fn load(&self) -> Option<F> {
        let _inside = crate::tls::enter();
        for library in self.libraries {
            // SAFETY: C strings; `F` is a function pointer, by the
            // constructor's contract.
            unsafe {
                let handle = libc::dlopen(library.as_ptr(), libc::RTLD_LAZY);
                if handle.is_null() {
                    libc::dlerror();
                    continue;
                }
                let address = libc::dlsym(handle, self.name.as_ptr());
                if !address.is_null() {
                    self.address.store(address, Ordering::Relaxed);
                    return Some(transmute_copy(&address));
                }
                libc::dlerror();
            }
        }
        None
    }

    /// The function, if its library is loaded.
    #[inline]
    pub(super) fn find(&self) -> Option<F> {
        let mut address = self.address.load(Ordering::Relaxed);
        if address.is_null() {
            address = self.look_up();
            self.address.store(address, Ordering::Relaxed);
        }
        // SAFETY: `F` is a function pointer, by the constructor's contract.
        (!address.is_null()).then(|| unsafe { transmute_copy(&address) })
    }

    #[cold]
    fn look_up(&self) -> *mut c_void {
        // What the lookup itself allocates is none of the program's business.
        let _inside = crate::tls::enter();
        let name = self.name.as_ptr();
        // SAFETY: C strings; libraries stay loaded as long as their callers.
        unsafe {
            let mut address = libc::dlsym(libc::RTLD_NEXT, name);
            for library in self.libraries {
                if !address.is_null() {
                    break;
                }
                let handle = libc::dlopen(library.as_ptr(), libc::RTLD_LAZY | libc::RTLD_NOLOAD);
                if !handle.is_null() {
                    address = libc::dlsym(handle, name);
                }
            }
            address
        }
    }
}

/// Declares functions of other libraries:
/// `foreign! { [c"libx.so.1"] LOCK = c"x_lock": fn(*mut c_void); ... }`.
macro_rules! foreign {
    ($libraries:tt $($id:ident = $name:literal:
        fn($($arg:ty),* $(,)?) $(-> $ret:ty)?;)+) => {
        $(
            static $id: $crate::intercept::foreign::Foreign<
                unsafe extern "C" fn($($arg),*) $(-> $ret)?,
            // SAFETY: the type is that of the C declaration.
            > = unsafe { $crate::intercept::foreign::Foreign::new($name, &$libraries) };
        )+
    };
}
pub(super) use foreign;
