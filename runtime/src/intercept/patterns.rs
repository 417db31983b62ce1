//! Patterns that texts, words and the names of files are compared with.

use super::callers;
use super::library::{Touches, library};
use core::ffi::{c_char, c_int, c_void};
use libc::regmatch_t;

type Text = *const c_char;
type Buffer = *mut c_char;

/// Bytes of a compiled pattern that every library with these functions has,
/// and those that libc's own has.
const POINTER: usize = 8;
const COMPILED: usize = 60;
/// Where libc keeps in it that nobody wants to know where a match is.
const FLAGS: usize = 56;
const NO_PLACES: u8 = 1 << 4;

/// `regexec` is told in its matches what part of the text to look at.
const PART: c_int = 4;

/// The first fields of the list that `glob` or `wordexp` makes: how many there
/// are, and where.
const LIST: usize = 16;

unsafe extern "C" {
    fn __ctype_get_mb_cur_max() -> usize;
}

library! {
    fn regcomp(compiled: *mut c_void, pattern: Text, flags: c_int) -> c_int |call, real| {
        call.check(|touches| {
            touches.reads_text(pattern);
            let own = callers::is_libc(real as *const () as usize);
            touches.writes(compiled, if own { COMPILED } else { POINTER });
        });
        real(compiled, pattern, flags)
    }
    fn regexec(compiled: *const c_void, text: Text, room: usize, places: *mut regmatch_t, flags: c_int) -> c_int |call, real| {
        let mut tells = false;
        call.check(|touches| {
            touches.reads(compiled, POINTER);
            if flags & PART == 0 {
                touches.reads_text(text);
            } else {
                touches.reads_one(places);
                let (start, end) = ((*places).rm_so, (*places).rm_eo);
                if let (Ok(start), Ok(len)) = (usize::try_from(start), usize::try_from(end - start)) {
                    touches.reads(text.wrapping_add(start), len);
                }
            }
            tells = room != 0
                && callers::is_libc(real as *const () as usize)
                && *compiled.cast::<u8>().add(FLAGS) & NO_PLACES == 0;
        });
        let result = real(compiled, text, room, places, flags);
        if result == 0 && tells {
            call.writes(places, room.saturating_mul(size_of::<regmatch_t>()));
        }
        result
    }
    fn regerror(error: c_int, compiled: *const c_void, to: Buffer, room: usize) -> usize |call, real| {
        let len = real(error, compiled, to, room);
        call.writes(to, len.min(room));
        len
    }
    fn regfree(compiled: *mut c_void) |call, real| {
        call.writes(compiled, POINTER);
        real(compiled)
    }
    fn fnmatch(pattern: Text, text: Text, flags: c_int) -> c_int |call, real| {
        // Where characters may be of several bytes, both are converted first.
        let is_converted = __ctype_get_mb_cur_max() != 1;
        let begin = |touches: &Touches, text: Text| {
            if is_converted {
                touches.reads_text(text);
            } else {
                touches.reads_one(text);
            }
        };
        call.check(|touches| {
            begin(touches, pattern);
            begin(touches, text);
        });
        let result = real(pattern, text, flags);
        if result == 0 && !is_converted {
            call.check(|touches| {
                touches.reads_text(pattern);
                // What a star stands for may not be looked at.
                if libc::strchr(pattern, b'*'.into()).is_null() {
                    touches.reads_text(text);
                }
            });
        }
        result
    }
    fn glob(pattern: Text, flags: c_int, failed: *mut c_void, list: *mut c_void) -> c_int |call, real| {
        call.check(|touches| touches.reads_text(pattern));
        let result = real(pattern, flags, failed, list);
        if result == 0 {
            call.writes(list, LIST);
        }
        result
    }
    fn glob64(pattern: Text, flags: c_int, failed: *mut c_void, list: *mut c_void) -> c_int |call, real| {
        call.check(|touches| touches.reads_text(pattern));
        let result = real(pattern, flags, failed, list);
        if result == 0 {
            call.writes(list, LIST);
        }
        result
    }
    fn globfree(list: *mut c_void) |call, real| {
        call.writes(list, LIST);
        real(list)
    }
    fn globfree64(list: *mut c_void) |call, real| {
        call.writes(list, LIST);
        real(list)
    }
    fn wordexp(words: Text, list: *mut c_void, flags: c_int) -> c_int |call, real| {
        call.check(|touches| touches.reads_text(words));
        let result = real(words, list, flags);
        if result == 0 {
            call.writes(list, LIST);
        }
        result
    }
    fn wordfree(list: *mut c_void) |call, real| {
        call.writes(list, LIST);
        real(list)
    }
}
