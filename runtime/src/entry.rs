//! What instrumented code calls when its inlined test did not settle the
//! matter: [`check`] for plain accesses, the rest is here.

mod check;
mod wide;

use crate::tls::{self, Frame, caller};
use crate::{access, init, intercept, internal_error, thread};

const _: () = {
    #[cfg_attr(test, expect(dead_code, reason = "tests do not export entry points"))]
    extern "C" fn body() -> *mut Frame {
        init::ensure();
        tls::section(thread::attach);
        // SAFETY: this thread's own block.
        let frames = unsafe { (*tls::block()).frames };
        if frames.is_null() {
            let scratch = thread::scratch_frames();
            // Else a signal handler that interrupted the thread's beginning.
            if internal_error::is_off() {
                // SAFETY: as above.
                unsafe { (*tls::block()).frames = scratch };
            }
            return scratch;
        }
        frames
    }

    /// Attaches the calling thread; see [`racert_abi::entry::ATTACH`].
    #[cfg(not(test))]
    #[unsafe(naked)]
    #[unsafe(no_mangle)]
    unsafe extern "C" fn __racert_attach() {
        ::core::arch::naked_asm!(
            "push rcx",
            "push rdx",
            "push rsi",
            "push rdi",
            "push r8",
            "push r9",
            "push r10",
            "push rbp",
            "mov rbp, rsp",
            "and rsp, -16",
            "call {body}",
            "mov rsp, rbp",
            "pop rbp",
            "pop r10",
            "pop r9",
            "pop r8",
            "pop rdi",
            "pop rsi",
            "pop rdx",
            "pop rcx",
            "ret",
            body = sym body,
        )
    }
};

crate::stub!(__racert_init, |version: u32| -> () {
    init::module(version);
});

/// Enters the runtime for a checked range, unless nothing needs recording.
#[inline]
fn ranged(f: impl FnOnce(usize)) {
    let pc = caller();
    if thread::alone() {
        return;
    }
    tls::section(move || f(pc));
}

crate::stub!(__racert_read_range, |addr: usize, len: usize| -> () {
    ranged(|pc| access::read_range(addr, len, pc));
});
crate::stub!(__racert_write_range, |addr: usize, len: usize| -> () {
    ranged(|pc| access::write_range(addr, len, pc));
});
crate::stub!(__racert_vptr_read, |addr: usize| -> () {
    ranged(|pc| access::vptr(addr, false, pc));
});
crate::stub!(__racert_vptr_write, |addr: usize, new: usize| -> () {
    // A destructor stores its own class's pointer again before it does
    // anything: nothing changes for whoever reads it at the same time. That of
    // a base class, which comes next, does change it.
    // SAFETY: the program is about to store there itself.
    let same = unsafe { (addr as *const usize).read_volatile() } == new;
    ranged(|pc| {
        access::deleting(addr);
        access::vptr(addr, !same, pc);
    });
});
crate::stub!(__racert_memcpy, |to: *mut u8,
                               from: *const u8,
                               len: usize|
 -> *mut u8 {
    ranged(|pc| {
        access::read_range(from as usize, len, pc);
        access::write_range(to as usize, len, pc);
    });
    // SAFETY: the program's own memcpy.
    unsafe { intercept::copy(to.cast(), from.cast(), len) };
    to
});
crate::stub!(__racert_memmove, |to: *mut u8,
                                from: *const u8,
                                len: usize|
 -> *mut u8 {
    ranged(|pc| {
        access::read_range(from as usize, len, pc);
        access::write_range(to as usize, len, pc);
    });
    // SAFETY: the program's own memmove.
    unsafe { intercept::shift(to.cast(), from.cast(), len) };
    to
});
crate::stub!(__racert_memset, |to: *mut u8,
                               value: i32,
                               len: usize|
 -> *mut u8 {
    ranged(|pc| access::write_range(to as usize, len, pc));
    // SAFETY: the program's own memset.
    unsafe { intercept::fill(to.cast(), value, len) };
    to
});
