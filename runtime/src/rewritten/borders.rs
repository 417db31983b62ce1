//! Libraries that are checked at their borders only.
//!
//! Who trusts a library's inside still wants to know whether the program hands
//! it memory that others use. Everything is recorded as ever, because whose
//! memory it is matters only once two accesses conflict: what two trusted
//! accesses do to memory of the library's own is its own affair.

use super::modules;
use crate::thread::registry;
use crate::{intercept, stack};
use alloc::string::String;
use alloc::vec::Vec;
use core::sync::atomic::{AtomicPtr, Ordering};

/// What the user wrote; null if nothing.
static TRUSTED: AtomicPtr<Vec<String>> = AtomicPtr::new(core::ptr::null_mut());

/// Trusts the libraries of a list of names, as `libz`; `all` are all.
pub(super) fn trust(names: &str) {
    let names = names.split(',').filter(|name| !name.is_empty());
    let names: Vec<String> = names.map(String::from).collect();
    let names = alloc::boxed::Box::leak(alloc::boxed::Box::new(names));
    TRUSTED.store(names, Ordering::Release);
}

/// Is the library at `path` trusted?
pub(super) fn is_trusted(path: &[u8]) -> bool {
    // SAFETY: null or what was leaked above.
    let Some(names) = (unsafe { TRUSTED.load(Ordering::Acquire).as_ref() }) else {
        return false;
    };
    // The program is nobody's library.
    if path.is_empty() {
        return false;
    }
    let file = path.rsplit(|byte| *byte == b'/').next().unwrap_or(path);
    let end = file.windows(3).position(|part| part == b".so");
    let stem = &file[..end.unwrap_or(file.len())];
    names.iter().any(|name| {
        let name = name.as_bytes();
        name == b"all" || name == file || name == stem || stem.strip_prefix(b"lib") == Some(name)
    })
}

/// Is a conflict at `addr` of the accesses at `pc` and `earlier` one with a
/// function that is known to race with no harm, or within trusted libraries?
pub(crate) fn is_own_affair(addr: usize, pc: u64, earlier: u64) -> bool {
    if modules::is_harmless(pc as usize) || modules::is_harmless(earlier as usize) {
        return true;
    }
    !TRUSTED.load(Ordering::Acquire).is_null()
        && modules::is_trusted(pc as usize)
        && modules::is_trusted(earlier as usize)
        && is_own(addr)
}

/// Does the memory belong to a trusted library, or to nobody else?
fn is_own(addr: usize) -> bool {
    if let Some(block) = intercept::find_block(addr) {
        return modules::is_trusted(stack::innermost(block.stack) as usize);
    }
    if registry::owner_of_stack(addr).is_some() || registry::owner_of_tls(addr).is_some() {
        return false;
    }
    modules::is_trusted(addr) || !modules::is_loaded(addr)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_by_name() {
        assert!(!is_trusted(b"/lib/libz.so.1"));
        trust("z,libglib-2.0");
        assert!(is_trusted(b"/lib/libz.so.1") && is_trusted(b"libglib-2.0.so.0"));
        assert!(!is_trusted(b"/lib/libzstd.so.1"));
        trust("all");
        assert!(is_trusted(b"/lib/libzstd.so.1") && !is_trusted(b""));
        trust("");
        assert!(!is_trusted(b"/lib/libz.so.1"));
    }
}
