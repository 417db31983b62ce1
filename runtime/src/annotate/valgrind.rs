//! Annotations written for Helgrind and DRD.
//!
//! Their headers make valgrind client requests of them: a few instructions
//! that do nothing, with the address of a code and its arguments in a
//! register. The pass puts a call in front of those instructions. The codes
//! are part of valgrind's interface and never change; those of no use here
//! (about memory checking, profiling, or the tool itself) are passed over.

use super::ignore::{begin, end};
use super::{What, ranges};
use crate::intercept::stub::interceptors;
use crate::lock::Kind;
use crate::shadow::clear;
use crate::sync::{rwlock, semaphore};
use crate::{heap, init, thread, tls};
use alloc::borrow::Cow;
use core::ffi::{CStr, c_char};

interceptors! {
    "__racert_client_request" => client_request,
}

/// Code and arguments of a request.
type Request = [usize; 6];

/// Requests of a tool start at its two letters.
const fn base(letters: [u8; 2]) -> usize {
    (letters[0] as usize) << 24 | (letters[1] as usize) << 16
}
const HELGRIND: usize = base(*b"HG");
const DRD: usize = base(*b"DR");
/// Helgrind's requests other than the first are numbered from here.
const NUMBERED: usize = HELGRIND + 256;

extern "C" fn client_request(request: *const Request) {
    let pc = tls::caller();
    init::ensure();
    tls::section(|| {
        // SAFETY: the program's own array.
        let request = unsafe { *request };
        let code = request[0];
        if code >= NUMBERED {
            helgrind(code - NUMBERED, &request, pc);
        } else if code == HELGRIND {
            heap::forget(request[1], request[2]);
        } else if code >= DRD {
            drd(code - DRD, &request, pc);
        }
    });
}

fn helgrind(number: usize, request: &Request, pc: usize) {
    let [_, object, second, ..] = *request;
    match number {
        // Mutexes and read-write locks of the program's own making.
        3 | 14 => rwlock::created(object, pc, Kind::Custom),
        4 | 15 => rwlock::forgotten(object),
        5 => rwlock::write_releasing(object, pc),
        8 => rwlock::write_acquired(object, pc, Kind::Custom, true),
        17 if second == 0 => rwlock::read_acquired(object, pc, Kind::Custom, true),
        17 => rwlock::write_acquired(object, pc, Kind::Custom, true),
        18 => rwlock::custom_releasing(object, pc),
        // Semaphores.
        20 | 21 => semaphore::destroyed(object),
        22 => semaphore::posting(object, pc),
        23 => semaphore::waited(object, pc),
        // Happens before, happens after, and what happened is forgotten.
        33 => semaphore::posting(object, pc),
        34 => semaphore::waited(object, pc),
        35 => semaphore::destroyed(object),
        // Memory that is not to be checked, and to be checked again.
        39 => ranges::add_benign(object..object.saturating_add(second), false),
        40 => ranges::remove_benign(object..object.saturating_add(second)),
        42 => forget_block(object),
        _ => {}
    }
}

fn drd(number: usize, request: &Request, pc: usize) {
    let [_, object, second, ..] = *request;
    match number {
        2 => ranges::add_benign(object..object.saturating_add(second), false),
        3 => ranges::remove_benign(object..object.saturating_add(second)),
        6 => ignore(What::Reads, object == 0, pc),
        7 => ignore(What::Writes, object == 0, pc),
        8 => name_thread(object),
        10 | 11 => semaphore::destroyed(object),
        13 => semaphore::waited(object, pc),
        14 => semaphore::posting(object, pc),
        _ => {}
    }
}

fn ignore(what: What, on: bool, pc: usize) {
    if let Some(me) = thread::current() {
        if on {
            begin(me, what, pc);
        } else {
            end(me, what, pc);
        }
    }
}

fn forget_block(addr: usize) {
    if let (Some(block), Some(me)) = (crate::intercept::find_block(addr), thread::current()) {
        clear::forget(&mut me.recorder.cells, block.start, block.size);
    }
}

fn name_thread(name: usize) {
    let name: *const c_char = name as *const c_char;
    if name.is_null() {
        return;
    }
    // SAFETY: a string of the program's, valid during the call.
    let text: Cow<'_, str> = unsafe { CStr::from_ptr(name) }.to_string_lossy();
    if let Some(me) = thread::current() {
        thread::set_name(me, text.as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_those_of_the_headers() {
        assert_eq!(HELGRIND, 0x4847_0000);
        assert_eq!(DRD, 0x4452_0000);
    }
}
