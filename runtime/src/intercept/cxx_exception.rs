//! References to exceptions.
//!
//! Exceptions that several threads refer to (`std::exception_ptr`) are counted
//! inside the C++ library. Whoever gives up the last reference destroys the
//! exception, after all that others did before they gave up theirs.

use super::foreign::foreign;
use super::stub::interceptors;
use super::{caller, hook};
use crate::sync::semaphore;

foreign! { [c"libstdc++.so.6"]
    RELEASE = c"_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv": fn(*mut usize);
}

interceptors! {
    "_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv" => release,
}

unsafe extern "C" fn release(reference: *mut usize) {
    let pc = caller();
    // SAFETY: the reference's only member is the exception's address.
    let exception = unsafe { *reference };
    if exception != 0 {
        hook(|| {
            semaphore::posting(exception, pc);
            semaphore::waited(exception, pc);
        });
    }
    // SAFETY: the program's own argument.
    unsafe { RELEASE.get()(reference) }
}
