//! Which loaded files a library needs.
//!
//! The linker keeps that to itself, so it is read from the files: each has the
//! names of those that it needs, and mostly one of its own.

use crate::loaded;
use alloc::vec::Vec;
use core::ffi::{CStr, c_char, c_void};

const DT_NEEDED: usize = 1;
const DT_SONAME: usize = 14;

/// What the linker says of a library that is open.
#[repr(C)]
struct LinkMap {
    bias: usize,
    name: *const c_char,
    dynamic: *const [usize; 2],
}

/// A loaded file.
struct File {
    /// Its dynamic section.
    place: usize,
    /// What others call it: by its path, the last part of that, its own name.
    names: Vec<Vec<u8>>,
    needs: Vec<Vec<u8>>,
}

impl File {
    fn new(info: &libc::dl_phdr_info, headers: &[libc::Elf64_Phdr]) -> Option<File> {
        let section = loaded::dynamic_section(info, headers)?;
        let strings = loaded::names(info, headers);
        let named = |[_, offset]: [usize; 2]| {
            let name = strings.get(offset..).unwrap_or_default();
            let end = name.iter().position(|byte| *byte == 0);
            name[..end.unwrap_or(name.len())].to_vec()
        };
        let tagged = |tag: usize| loaded::entries(section).filter(move |entry| entry[0] == tag);
        let mut names: Vec<Vec<u8>> = tagged(DT_SONAME).map(named).collect();
        if !info.dlpi_name.is_null() {
            // SAFETY: the linker's own string.
            let path = unsafe { CStr::from_ptr(info.dlpi_name) }.to_bytes();
            let last = path.rsplit(|byte| *byte == b'/').next();
            names.extend(last.map(<[u8]>::to_vec));
            names.push(path.to_vec());
        }
        Some(File {
            place: section.addr(),
            names,
            needs: tagged(DT_NEEDED).map(named).collect(),
        })
    }
}

/// The dynamic sections of the library behind `handle` and of all that it
/// needs; none if it is not one that `dlopen` returned.
pub(super) fn with(handle: *mut c_void) -> Vec<usize> {
    // Null, and what stands for all that is loaded.
    if handle.is_null() || handle.addr() == usize::MAX {
        return Vec::new();
    }
    // SAFETY: the program's own handle, which the linker reads, too.
    let first = unsafe { (*handle.cast::<LinkMap>()).dynamic }.addr();
    let mut files = Vec::new();
    loaded::each(|info, headers| files.extend(File::new(info, headers)));
    let mut found: Vec<&File> = files.iter().filter(|file| file.place == first).collect();
    let mut looked_at = 0;
    while let Some(file) = found.get(looked_at).copied() {
        looked_at += 1;
        for name in &file.needs {
            let needed = files.iter().find(|other| other.names.contains(name));
            let is_new = |new: &&File| found.iter().all(|old| old.place != new.place);
            found.extend(needed.filter(is_new));
        }
    }
    found.iter().map(|file| file.place).collect()
}

#[cfg(test)]
mod tests {
    use super::with;

    fn place(name: &core::ffi::CStr) -> usize {
        // SAFETY: a plain name; the library is loaded, and stays so.
        let handle = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_LAZY) };
        assert!(!handle.is_null());
        with(handle)[0]
    }

    #[test]
    fn a_library_comes_with_what_it_needs() {
        // SAFETY: the program itself.
        let program = unsafe { libc::dlopen(core::ptr::null(), libc::RTLD_LAZY) };
        let all = with(program);
        let libc = place(c"libc.so.6");
        assert!(all.len() > 1 && all.contains(&libc));
        assert!(!with_of(c"libc.so.6").contains(&all[0]));
    }

    fn with_of(name: &core::ffi::CStr) -> alloc::vec::Vec<usize> {
        // SAFETY: as above.
        with(unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_LAZY) })
    }

    #[test]
    fn what_is_no_library_needs_nothing() {
        assert!(with(core::ptr::null_mut()).is_empty());
        assert!(with(usize::MAX as *mut _).is_empty());
    }
}
