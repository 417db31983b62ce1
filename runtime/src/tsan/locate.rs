//! Where an address lies, for debuggers.

use crate::intercept::{self, stub::interceptors};
use crate::thread::registry;
use crate::{init, internal_error, tls};
use core::ffi::{CStr, c_char};

interceptors! {
    "__tsan_locate_address" => locate,
}

/// Says what kind of memory `addr` is in; of a heap block also where it begins
/// and how long it is, of a variable that the dynamic linker knows its name,
/// too.
extern "C" fn locate(
    addr: usize,
    name: *mut c_char,
    name_size: usize,
    start: *mut usize,
    size: *mut usize,
) -> *const c_char {
    init::ensure();
    let _inside = tls::enter();
    let found = internal_error::caught(|| kind_of(addr));
    let (kind, region, called) = found.unwrap_or((c"global", (addr, 0), None));
    give(start, region.0);
    give(size, region.1);
    give_name(name, name_size, called.unwrap_or(c""));
    kind.as_ptr()
}

type Located = (&'static CStr, (usize, usize), Option<&'static CStr>);

fn kind_of(addr: usize) -> Located {
    if let Some(block) = intercept::find_block(addr) {
        (c"heap", (block.start, block.size), None)
    } else if registry::owner_of_stack(addr).is_some() {
        (c"stack", (0, 0), None)
    } else if registry::owner_of_tls(addr).is_some() {
        (c"tls", (0, 0), None)
    } else {
        let (symbol, called) = variable(addr);
        (c"global", (symbol, 0), called)
    }
}

fn variable(addr: usize) -> (usize, Option<&'static CStr>) {
    // SAFETY: all zeroes is a valid value.
    let mut info: libc::Dl_info = unsafe { core::mem::zeroed() };
    // SAFETY: any address may be asked for; the loader fills our own variable.
    let found = unsafe { libc::dladdr(addr as *const _, &raw mut info) } != 0;
    if !found || info.dli_sname.is_null() {
        return (addr, None);
    }
    // SAFETY: the loader's strings stay while the module is loaded.
    let name = unsafe { CStr::from_ptr(info.dli_sname) };
    (info.dli_saddr as usize, Some(name))
}

fn give(place: *mut usize, value: usize) {
    if !place.is_null() {
        // SAFETY: the caller's own variable.
        unsafe { place.write(value) };
    }
}

fn give_name(place: *mut c_char, size: usize, name: &CStr) {
    let Some(most) = size.checked_sub(1).filter(|_| !place.is_null()) else {
        return;
    };
    let bytes = &name.to_bytes()[..name.to_bytes().len().min(most)];
    // SAFETY: the caller's buffer of `size` bytes.
    unsafe {
        core::ptr::copy_nonoverlapping(bytes.as_ptr(), place.cast(), bytes.len());
        place.add(bytes.len()).write(0);
    }
}
