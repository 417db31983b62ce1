//! Names and addresses of hosts, in buffers of the caller.

use crate::intercept::library::library;
use crate::intercept::notified;
use core::ffi::{c_char, c_int, c_void};
use libc::{addrinfo, sigevent, sockaddr, socklen_t};

type Text = *const c_char;

library! {
    fn getaddrinfo(host: Text, service: Text, hints: *const addrinfo, found: *mut *mut addrinfo) -> c_int |call, real| {
        call.check(|touches| {
            touches.reads_text(host);
            touches.reads_text(service);
            touches.reads_one(hints);
        });
        let result = real(host, service, hints, found);
        if result == 0 {
            call.check(|touches| touches.writes_one(found));
        }
        result
    }
    [always] fn getaddrinfo_a(mode: c_int, requests: *mut *mut c_void, count: c_int, event: *mut sigevent) -> c_int |_, real| {
        notified::expects(event);
        real(mode, requests, count, event)
    }
    fn getnameinfo(address: *const sockaddr, len: socklen_t, host: *mut c_char, host_room: socklen_t, service: *mut c_char, service_room: socklen_t, flags: c_int) -> c_int |call, real| {
        call.reads(address, len as usize);
        let result = real(address, len, host, host_room, service, service_room, flags);
        if result == 0 {
            call.check(|touches| {
                for (text, room) in [(host, host_room), (service, service_room)] {
                    if room != 0 {
                        touches.writes_text(text);
                    }
                }
            });
        }
        result
    }
}
