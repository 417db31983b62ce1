//! Whose calls are looked at.
//!
//! A library that is not instrumented still calls functions that touch the
//! program's memory. Its synchronisation is seen as far as it goes through
//! libc; a few libraries build their own from futexes, in which nothing is seen
//! of what orders their accesses. Their calls are their own affair.

use crate::{loaded, os, rewritten};
use alloc::vec::Vec;
use core::ffi::CStr;
use core::sync::atomic::{AtomicU64, Ordering};

/// Beginnings of the file names of libraries that synchronise by themselves.
const BY_THEMSELVES: [&[u8]; 18] = [
    b"libgomp.",
    b"libomp.",
    b"libomp-",
    b"libiomp",
    b"libtbb",
    b"libglib-",
    b"libgobject-",
    b"libgio-",
    b"libQt",
    b"libabsl_",
    b"libgrpc.",
    b"libgrpc_",
    b"libgrpc++",
    b"libgpr.",
    b"libupb.",
    b"libjemalloc",
    b"libtcmalloc",
    b"libmimalloc",
];

/// Beginnings of the file names of C++ libraries.
const CXX: [&[u8]; 3] = [b"libstdc++.", b"libc++.", b"libc++abi."];

/// Beginning of libc's file name.
const LIBC: [&[u8]; 1] = [b"libc.so."];

/// Answers given before, by page of code: the page's number and its bits.
/// Number 0 stands for an empty entry.
static ANSWERS: [AtomicU64; SIZE] = [const { AtomicU64::new(0) }; SIZE];
const SIZE: usize = 1024;

/// Its calls are looked at.
const COUNTS: u64 = 1;
/// It is linked together with the runtime, as instrumented programs are.
const INSTRUMENTED: u64 = 2;
/// It is a C++ library's.
const IN_CXX: u64 = 4;
/// It is libc's.
const IN_LIBC: u64 = 8;
/// Its accesses are checked.
const CHECKED: u64 = 16;
/// No file but the program itself has it.
const IN_PROGRAM: u64 = 32;
/// Bits of an answer.
const BITS: u32 = 6;

/// Files whose names were looked through, by where they are loaded: that
/// address, and the lowest bit if they call checks.
static FILES: [AtomicU64; FILES_KNOWN] = [const { AtomicU64::new(0) }; FILES_KNOWN];
const FILES_KNOWN: usize = 256;

/// Are calls from code address `pc` looked at?
#[inline]
pub(super) fn count(pc: usize) -> bool {
    answer(pc) & COUNTS != 0
}

/// Is the code at `pc` of an instrumented program? A copy that it leaves to
/// libc is one that nobody else can see.
#[inline]
pub(crate) fn is_instrumented(pc: usize) -> bool {
    answer(pc) & INSTRUMENTED != 0
}

/// Are the accesses of the code at `pc` checked? It may be in a library that was
/// instrumented or rewritten; what no file has is not checked.
#[inline]
pub(crate) fn has_checks(pc: usize) -> bool {
    answer(pc) & (CHECKED | INSTRUMENTED) != 0
}

/// Was it a library whose accesses are not checked that made the call which
/// returns to `pc`? If that is in the program, it may have called the library,
/// whose function ended with the call and left no return address.
pub(crate) fn is_unchecked_library(pc: usize) -> bool {
    let is_unchecked =
        |pc: usize| pc >= os::PAGE && answer(pc) & (CHECKED | INSTRUMENTED | IN_PROGRAM) == 0;
    is_unchecked(pc) || (is_instrumented(pc) && elsewhere(pc).is_some_and(is_unchecked))
}

/// The function that the call before `pc` goes to, if that is through the table
/// of functions of other files.
fn elsewhere(pc: usize) -> Option<usize> {
    let code = |at: usize| {
        let mut bytes = [0; CALL];
        (os::read_memory(at as u64, &mut bytes) == CALL).then_some(bytes)
    };
    let pointer = |next: usize, offset: &[u8]| {
        let offset = i32::from_le_bytes(*offset.first_chunk()?);
        let mut pointer = [0; 8];
        let at = next.wrapping_add_signed(offset as isize) as u64;
        (os::read_memory(at, &mut pointer) == pointer.len()).then(|| usize::from_le_bytes(pointer))
    };
    let entry = match code(pc.checked_sub(CALL)?)? {
        [0xff, 0x15, offset @ ..] => return pointer(pc, &offset),
        [_, 0xe8, offset @ ..] => pc.wrapping_add_signed(i32::from_le_bytes(offset) as isize),
        _ => return None,
    };
    // An entry may begin with `endbr64`.
    let entry = match code(entry)? {
        [0xf3, 0x0f, 0x1e, 0xfa, ..] => entry + 4,
        _ => entry,
    };
    match code(entry)? {
        [0xff, 0x25, offset @ ..] => pointer(entry + CALL, &offset),
        _ => None,
    }
}

/// Bytes of a call or jump through a pointer, and of a call and one before.
const CALL: usize = 6;

/// Is the code at `pc` the C++ library's own?
#[inline]
pub(crate) fn is_cxx_library(pc: usize) -> bool {
    answer(pc) & IN_CXX != 0
}

/// Is the code at `pc` libc's own, and not that of a library which has a
/// function of the same name?
#[inline]
pub(super) fn is_libc(pc: usize) -> bool {
    answer(pc) & IN_LIBC != 0
}

#[inline]
fn answer(pc: usize) -> u64 {
    let page = (pc >> 12) as u64;
    let answer = ANSWERS[page as usize % SIZE].load(Ordering::Relaxed);
    if answer >> BITS == page {
        return answer & ((1 << BITS) - 1);
    }
    ask(pc, page)
}

/// Another library may be loaded where one was.
pub(super) fn forget() {
    for known in ANSWERS.iter().chain(&FILES) {
        known.store(0, Ordering::Relaxed);
    }
}

#[cold]
fn ask(pc: usize, page: u64) -> u64 {
    let module = module_of(pc);
    let mut answer = 0;
    if !is_one_of(&module, &BY_THEMSELVES) {
        answer |= COUNTS;
    }
    if is_one_of(&module, &CXX) {
        answer |= IN_CXX;
    }
    if is_one_of(&module, &LIBC) {
        answer |= IN_LIBC;
    }
    let own = is_one_of as fn(&[u8], &[&[u8]]) -> bool as usize;
    if module.is_empty() && module_of(own).is_empty() {
        answer |= INSTRUMENTED;
    }
    if module.is_empty() {
        answer |= IN_PROGRAM;
    }
    if loaded::module_at(pc, |info, headers| Some(calls_checks(info, headers))) == Some(true) {
        answer |= CHECKED;
    }
    ANSWERS[page as usize % SIZE].store(page << BITS | answer, Ordering::Relaxed);
    answer
}

/// Does a file call checks, or has it been rewritten?
fn calls_checks(info: &libc::dl_phdr_info, headers: &[libc::Elf64_Phdr]) -> bool {
    let base = info.dlpi_addr;
    let place = &FILES[(base >> 12) as usize % FILES_KNOWN];
    let known = place.load(Ordering::Relaxed);
    if known != 0 && known & !1 == base {
        return known & 1 != 0;
    }
    let mut names = loaded::names(info, headers).split(|byte| *byte == 0);
    let calls = names.any(is_check) || rewritten::is_rewritten(info, headers);
    place.store(base | u64::from(calls), Ordering::Relaxed);
    calls
}

/// Is that the name of a check of ours, or what objects for ThreadSanitizer
/// begin with?
fn is_check(name: &[u8]) -> bool {
    name.starts_with(b"__racert_") || name == b"__tsan_init"
}

fn is_one_of(path: &[u8], names: &[&[u8]]) -> bool {
    let file = path.rsplit(|b| *b == b'/').next().unwrap_or(path);
    names.iter().any(|name| file.starts_with(name))
}

/// The file whose code `pc` lies in; empty if there is none or it is the
/// executable.
fn module_of(pc: usize) -> Vec<u8> {
    let path = loaded::module_at(pc, |info, _| {
        // SAFETY: null or the loader's name of the file.
        let name =
            (!info.dlpi_name.is_null()).then(|| unsafe { CStr::from_ptr(info.dlpi_name) })?;
        Some(name.to_bytes().to_vec())
    });
    path.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_with_locks_of_their_own() {
        let by_itself = |path| is_one_of(path, &BY_THEMSELVES);
        assert!(by_itself(b"/usr/lib/x86_64-linux-gnu/libgomp.so.1"));
        assert!(by_itself(b"libglib-2.0.so.0"));
        assert!(!by_itself(b"/usr/lib/libstdc++.so.6"));
        assert!(!by_itself(b""));
        assert!(is_one_of(b"/usr/lib/libstdc++.so.6", &CXX));
    }

    #[test]
    fn modules_are_found_by_code() {
        let libc = module_of(libc::getpid as *const () as usize);
        assert!(String::from_utf8_lossy(&libc).contains("libc.so"));
        let here = modules_are_found_by_code as fn() as usize;
        assert!(module_of(here).is_empty());
        assert!(count(here) && count(here) && is_instrumented(here));
        let library = libc::getpid as *const () as usize;
        assert!(count(library) && !is_instrumented(library));
        assert!(is_libc(library) && !is_libc(here));
        assert!(has_checks(here) && !has_checks(library) && !has_checks(8));
        assert!(is_unchecked_library(library) && ![here, 8].into_iter().any(is_unchecked_library));
    }
}
