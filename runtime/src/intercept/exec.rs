//! What another program is run with in the place of this one.
//!
//! If that succeeds nobody is left to find anything; what is read on the way
//! there may race all the same.

use super::caller;
use super::children::{Texts, describes, environ};
use super::library::{Call, is_watched, library};
use super::stub::code_of;
use super::variadic::{List, variadic};
use crate::os::{self, Errno};
use core::ffi::{c_char, c_int};
use core::ptr::{null, null_mut};

variadic! {
    "execl" (2, "rdx") => execl;
    "execle" (2, "rdx") => execle;
    "execlp" (2, "rdx") => execlp;
}

#[cfg(test)]
pub(super) const LIST_NAMES: &[(&str, *const ())] = VARIADIC;

library! {
    fn execv(path: *const c_char, arguments: Texts) -> c_int |call, real| {
        describes(&call, path, null(), null(), arguments, environ);
        real(path, arguments)
    }
    fn execve(path: *const c_char, arguments: Texts, environment: Texts) -> c_int |call, real| {
        describes(&call, path, null(), null(), arguments, environment);
        real(path, arguments, environment)
    }
    fn execvp(file: *const c_char, arguments: Texts) -> c_int |call, real| {
        describes(&call, file, null(), null(), arguments, environ);
        real(file, arguments)
    }
    fn execvpe(file: *const c_char, arguments: Texts, environment: Texts) -> c_int |call, real| {
        describes(&call, file, null(), null(), arguments, environment);
        real(file, arguments, environment)
    }
    fn fexecve(fd: c_int, arguments: Texts, environment: Texts) -> c_int |call, real| {
        describes(&call, null(), null(), null(), arguments, environment);
        real(fd, arguments, environment)
    }
}

/// Texts that need no memory.
const FEW: usize = 64;

/// Runs `f` with the texts that are arguments of a call: `first` and those of
/// `list` up to a null, which `f` gets, too. `list` is behind it then.
///
/// # Safety
/// There must be a null.
unsafe fn with_texts(
    first: *mut c_char,
    list: &mut List,
    f: impl FnOnce(Texts, &mut List) -> c_int,
) -> c_int {
    let mut count = 1;
    let mut ahead = *list;
    if !first.is_null() {
        // SAFETY: passed on.
        while unsafe { ahead.general() } != 0 {
            count += 1;
        }
        count += 1;
    }
    let mut few = [null_mut(); FEW];
    let size = count * size_of::<*mut c_char>();
    let texts: *mut *mut c_char = if count <= FEW {
        few.as_mut_ptr()
    } else {
        match os::map(size) {
            Ok(memory) => memory.cast(),
            Err(Errno(number)) => {
                // SAFETY: this thread's own variable.
                unsafe { *libc::__errno_location() = number };
                return -1;
            }
        }
    };
    // SAFETY: room for all of them; as counted.
    unsafe {
        texts.write(first);
        for i in 1..count {
            texts.add(i).write(list.general() as *mut c_char);
        }
    }
    let result = f(texts, list);
    if count > FEW {
        os::unmap(texts.cast(), size);
    }
    result
}

/// Reads the call `code`, with the environment that the program has, and hands
/// it to `real`, which takes the texts together.
///
/// # Safety
/// The program's own arguments, of a call that the interceptor running now is.
unsafe fn listed(
    code: usize,
    file: *const c_char,
    first: *mut c_char,
    list: &mut List,
    real: unsafe extern "C" fn(*const c_char, Texts) -> c_int,
) -> c_int {
    let call = Call::new(caller(), code);
    // SAFETY: passed on.
    unsafe {
        with_texts(first, list, |texts, _| {
            if is_watched() {
                describes(&call, file, null(), null(), texts, environ);
            }
            real(file, texts)
        })
    }
}

// SAFETY of the calls below: the program's own arguments.

unsafe extern "C" fn execl(path: *const c_char, first: *mut c_char, list: &mut List) -> c_int {
    // SAFETY: see above.
    unsafe { listed(code_of!("execl"), path, first, list, execv::REAL.get()) }
}

unsafe extern "C" fn execlp(file: *const c_char, first: *mut c_char, list: &mut List) -> c_int {
    // SAFETY: see above.
    unsafe { listed(code_of!("execlp"), file, first, list, execvp::REAL.get()) }
}

unsafe extern "C" fn execle(path: *const c_char, first: *mut c_char, list: &mut List) -> c_int {
    let call = Call::new(caller(), code_of!("execle"));
    // SAFETY: see above; the environment is behind the texts.
    unsafe {
        with_texts(first, list, |texts, list| {
            let environment = list.general() as Texts;
            if is_watched() {
                describes(&call, path, null(), null(), texts, environment);
            }
            execve::REAL.get()(path, texts, environment)
        })
    }
}
