//! As [`super::static_buffers`]: those that are called less often.

use super::library::{Call, library};
use super::static_buffers::{Text, reads, writes};
use crate::static_buffer::Buffer;
use core::ffi::{c_char, c_int, c_long, c_void};
use libc::{FILE, hostent, option, protoent, servent};

unsafe extern "C" {
    static optarg: *const c_char;
    static optind: c_int;
    static optopt: c_int;
}

/// What `getopt` tells in variables, which it writes whatever it found.
fn answered(call: &Call) {
    call.check(|touches| {
        touches.writes_one(&raw const optarg);
        touches.writes_one(&raw const optind);
        touches.writes_one(&raw const optopt);
    });
}

library! {
    fn gethostent() -> *mut hostent |call, real| {
        writes(&call, Buffer::Host);
        real()
    }
    fn getservent() -> *mut servent |call, real| {
        writes(&call, Buffer::Service);
        real()
    }
    fn getprotobynumber(number: c_int) -> *mut protoent |call, real| {
        writes(&call, Buffer::Service);
        real(number)
    }
    fn getprotoent() -> *mut protoent |call, real| {
        writes(&call, Buffer::Service);
        real()
    }
    fn getnetbyname(name: Text) -> *mut c_void |call, real| {
        call.check(|touches| touches.reads_text(name));
        writes(&call, Buffer::Service);
        real(name)
    }
    fn getnetbyaddr(network: u32, family: c_int) -> *mut c_void |call, real| {
        writes(&call, Buffer::Service);
        real(network, family)
    }
    fn getnetent() -> *mut c_void |call, real| {
        writes(&call, Buffer::Service);
        real()
    }
    fn getmntent(list: *mut FILE) -> *mut c_void |call, real| {
        writes(&call, Buffer::Mount);
        real(list)
    }
    fn ptsname(fd: c_int) -> *mut c_char |call, real| {
        writes(&call, Buffer::Terminal);
        real(fd)
    }
    fn getlogin() -> *mut c_char |call, real| {
        writes(&call, Buffer::User);
        real()
    }
    fn nl_langinfo(item: c_int) -> *mut c_char |call, real| {
        reads(&call, Buffer::Locale);
        real(item)
    }
    fn tmpnam(name: *mut c_char) -> *mut c_char |call, real| {
        let result = real(name);
        if name.is_null() {
            writes(&call, Buffer::FileName);
        } else {
            call.check(|touches| touches.writes_text(result));
        }
        result
    }
    fn drand48() -> f64 |call, real| {
        writes(&call, Buffer::Random);
        real()
    }
    fn lrand48() -> c_long |call, real| {
        writes(&call, Buffer::Random);
        real()
    }
    fn mrand48() -> c_long |call, real| {
        writes(&call, Buffer::Random);
        real()
    }
    fn srand48(seed: c_long) |call, real| {
        writes(&call, Buffer::Random);
        real(seed)
    }
    fn seed48(seed: *mut u16) -> *mut u16 |call, real| {
        call.reads(seed, 6);
        writes(&call, Buffer::Random);
        real(seed)
    }
    fn lcong48(parameters: *mut u16) |call, real| {
        call.reads(parameters, 14);
        writes(&call, Buffer::Random);
        real(parameters)
    }
    fn ecvt(value: f64, digits: c_int, point: *mut c_int, sign: *mut c_int) -> *mut c_char |call, real| {
        call.check(|touches| {
            touches.writes_one(point);
            touches.writes_one(sign);
        });
        writes(&call, Buffer::Number);
        real(value, digits, point, sign)
    }
    fn fcvt(value: f64, digits: c_int, point: *mut c_int, sign: *mut c_int) -> *mut c_char |call, real| {
        call.check(|touches| {
            touches.writes_one(point);
            touches.writes_one(sign);
        });
        writes(&call, Buffer::Number);
        real(value, digits, point, sign)
    }
    fn l64a(value: c_long) -> *mut c_char |call, real| {
        writes(&call, Buffer::Number);
        real(value)
    }
    fn hcreate(count: usize) -> c_int |call, real| {
        writes(&call, Buffer::Table);
        real(count)
    }
    fn hdestroy() |call, real| {
        writes(&call, Buffer::Table);
        real()
    }
    fn hsearch(key: *mut c_char, data: *mut c_void, action: c_int) -> *mut c_void |call, real| {
        call.check(|touches| touches.reads_text(key));
        if action == FIND {
            reads(&call, Buffer::Table);
        } else {
            writes(&call, Buffer::Table);
        }
        real(key, data, action)
    }
    fn getopt(count: c_int, words: *const *mut c_char, letters: Text) -> c_int |call, real| {
        writes(&call, Buffer::Options);
        let result = real(count, words, letters);
        answered(&call);
        result
    }
    fn getopt_long(count: c_int, words: *const *mut c_char, letters: Text, long: *const option, index: *mut c_int) -> c_int |call, real| {
        writes(&call, Buffer::Options);
        let result = real(count, words, letters, long, index);
        answered(&call);
        result
    }
    fn getopt_long_only(count: c_int, words: *const *mut c_char, letters: Text, long: *const option, index: *mut c_int) -> c_int |call, real| {
        writes(&call, Buffer::Options);
        let result = real(count, words, letters, long, index);
        answered(&call);
        result
    }
}

/// `hsearch` only looks.
const FIND: c_int = 0;
