//! GLib's main loop: what one thread gives the loop of another to do.
//!
//! Whoever makes a source or attaches it comes before what is called for it.
//! Callbacks are of many types and their data is how programs find their
//! sources again, so neither is replaced: a callback gets a *thunk*, a few
//! instructions that make the order and continue in the callback with every
//! argument untouched.

use super::foreign::foreign;
use super::hook;
use super::stub::interceptors;
use super::thunks::{SIZE, Thunks};
use crate::sync::semaphore;
use core::ffi::{c_int, c_uint, c_void};

type Pointer = *mut c_void;

foreign! { [c"libglib-2.0.so.0"]
    ATTACH = c"g_source_attach": fn(Pointer, Pointer) -> c_uint;
    SET_CALLBACK = c"g_source_set_callback": fn(Pointer, Pointer, Pointer, Pointer);
    IDLE = c"g_idle_add": fn(Pointer, Pointer) -> c_uint;
    IDLE_ONCE = c"g_idle_add_once": fn(Pointer, Pointer) -> c_uint;
    IDLE_FULL = c"g_idle_add_full": fn(c_int, Pointer, Pointer, Pointer) -> c_uint;
    TIMEOUT = c"g_timeout_add": fn(c_uint, Pointer, Pointer) -> c_uint;
    TIMEOUT_ONCE = c"g_timeout_add_once": fn(c_uint, Pointer, Pointer) -> c_uint;
    TIMEOUT_FULL = c"g_timeout_add_full":
        fn(c_int, c_uint, Pointer, Pointer, Pointer) -> c_uint;
    SECONDS = c"g_timeout_add_seconds": fn(c_uint, Pointer, Pointer) -> c_uint;
    SECONDS_FULL = c"g_timeout_add_seconds_full":
        fn(c_int, c_uint, Pointer, Pointer, Pointer) -> c_uint;
    INVOKE = c"g_main_context_invoke": fn(Pointer, Pointer, Pointer);
    INVOKE_FULL = c"g_main_context_invoke_full":
        fn(Pointer, c_int, Pointer, Pointer, Pointer);
    WATCH = c"g_io_add_watch": fn(Pointer, c_int, Pointer, Pointer) -> c_uint;
    WATCH_FULL = c"g_io_add_watch_full":
        fn(Pointer, c_int, c_int, Pointer, Pointer, Pointer) -> c_uint;
    DESCRIPTOR = c"g_unix_fd_add": fn(c_int, c_int, Pointer, Pointer) -> c_uint;
    DESCRIPTOR_FULL = c"g_unix_fd_add_full":
        fn(c_int, c_int, c_int, Pointer, Pointer, Pointer) -> c_uint;
    CHILD = c"g_child_watch_add": fn(c_int, Pointer, Pointer) -> c_uint;
    CHILD_FULL = c"g_child_watch_add_full":
        fn(c_int, c_int, Pointer, Pointer, Pointer) -> c_uint;
}

interceptors! {
    "g_source_attach" => attach,
    "g_source_set_callback" => set_callback,
    "g_idle_add" => idle,
    "g_idle_add_once" => idle_once,
    "g_idle_add_full" => idle_full,
    "g_timeout_add" => timeout,
    "g_timeout_add_once" => timeout_once,
    "g_timeout_add_full" => timeout_full,
    "g_timeout_add_seconds" => seconds,
    "g_timeout_add_seconds_full" => seconds_full,
    "g_main_context_invoke" => invoke,
    "g_main_context_invoke_full" => invoke_full,
    "g_io_add_watch" => watch,
    "g_io_add_watch_full" => watch_full,
    "g_unix_fd_add" => descriptor,
    "g_unix_fd_add_full" => descriptor_full,
    "g_child_watch_add" => child,
    "g_child_watch_add_full" => child_full,
}

/// Callbacks that can have a thunk.
const THUNKS: usize = 1024;

/// The callbacks by thunk. Its address also stands for the order they make.
static CALLBACKS: Thunks<THUNKS> = Thunks::new();

#[cfg(not(test))]
core::arch::global_asm!(
    ".pushsection .text.racert_glib_thunks,\"ax\",@progbits",
    ".p2align 4",
    ".hidden __racert_glib_thunks",
    ".globl __racert_glib_thunks",
    "__racert_glib_thunks:",
    ".set racert_thunk, 0",
    ".rept {thunks}",
    ".p2align 4",
    "mov r11d, racert_thunk",
    "jmp 2f",
    ".set racert_thunk, racert_thunk + 1",
    ".endr",
    ".p2align 4",
    "2:",
    "push rdi",
    "push rsi",
    "push rdx",
    "push rcx",
    "push r8",
    "push r9",
    "push r11",
    "mov edi, r11d",
    "call {called}",
    "pop r11",
    "pop r9",
    "pop r8",
    "pop rcx",
    "pop rdx",
    "pop rsi",
    "pop rdi",
    "jmp rax",
    ".popsection",
    thunks = const THUNKS,
    called = sym called,
);
const _: () = assert!(SIZE == 16);

#[cfg(not(test))]
unsafe extern "C" {
    #[link_name = "__racert_glib_thunks"]
    static FIRST: u8;
}

/// Thunk number `index` was called; returns where it continues.
#[cfg_attr(test, expect(dead_code, reason = "tests have no thunks"))]
extern "C" fn called(index: usize) -> usize {
    hook(|| semaphore::waited((&raw const CALLBACKS).addr(), 0));
    CALLBACKS.get(index)
}

/// What comes before now comes before callbacks that are called from now on.
fn sends() {
    hook(|| semaphore::posting((&raw const CALLBACKS).addr(), 0));
}

/// The thunk of `callback`, or itself.
fn thunk(callback: Pointer) -> Pointer {
    #[cfg(not(test))]
    let first = (&raw const FIRST).addr();
    #[cfg(test)]
    let first = 1 << 20;
    core::ptr::with_exposed_provenance_mut(CALLBACKS.of(callback.addr(), first))
}

/// The thunk of a callback that is about to be given to the loop.
fn given(callback: Pointer) -> Pointer {
    sends();
    thunk(callback)
}

// SAFETY of the calls below: the program's own arguments, but for callbacks,
// whose thunks do the same.

unsafe extern "C" fn attach(source: Pointer, context: Pointer) -> c_uint {
    sends();
    // SAFETY: see above.
    unsafe { ATTACH.get()(source, context) }
}

unsafe extern "C" fn set_callback(source: Pointer, call: Pointer, data: Pointer, end: Pointer) {
    let (call, end) = (given(call), thunk(end));
    // SAFETY: see above.
    unsafe { SET_CALLBACK.get()(source, call, data, end) }
}

unsafe extern "C" fn idle(call: Pointer, data: Pointer) -> c_uint {
    // SAFETY: see above.
    unsafe { IDLE.get()(given(call), data) }
}

unsafe extern "C" fn idle_once(call: Pointer, data: Pointer) -> c_uint {
    // SAFETY: see above.
    unsafe { IDLE_ONCE.get()(given(call), data) }
}

unsafe extern "C" fn idle_full(
    priority: c_int,
    call: Pointer,
    data: Pointer,
    end: Pointer,
) -> c_uint {
    // SAFETY: see above.
    unsafe { IDLE_FULL.get()(priority, given(call), data, thunk(end)) }
}

unsafe extern "C" fn timeout(interval: c_uint, call: Pointer, data: Pointer) -> c_uint {
    // SAFETY: see above.
    unsafe { TIMEOUT.get()(interval, given(call), data) }
}

unsafe extern "C" fn timeout_once(interval: c_uint, call: Pointer, data: Pointer) -> c_uint {
    // SAFETY: see above.
    unsafe { TIMEOUT_ONCE.get()(interval, given(call), data) }
}

unsafe extern "C" fn timeout_full(
    priority: c_int,
    interval: c_uint,
    call: Pointer,
    data: Pointer,
    end: Pointer,
) -> c_uint {
    // SAFETY: see above.
    unsafe { TIMEOUT_FULL.get()(priority, interval, given(call), data, thunk(end)) }
}

unsafe extern "C" fn seconds(interval: c_uint, call: Pointer, data: Pointer) -> c_uint {
    // SAFETY: see above.
    unsafe { SECONDS.get()(interval, given(call), data) }
}

unsafe extern "C" fn seconds_full(
    priority: c_int,
    interval: c_uint,
    call: Pointer,
    data: Pointer,
    end: Pointer,
) -> c_uint {
    // SAFETY: see above.
    unsafe { SECONDS_FULL.get()(priority, interval, given(call), data, thunk(end)) }
}

unsafe extern "C" fn invoke(context: Pointer, call: Pointer, data: Pointer) {
    // SAFETY: see above.
    unsafe { INVOKE.get()(context, given(call), data) }
}

unsafe extern "C" fn invoke_full(
    context: Pointer,
    priority: c_int,
    call: Pointer,
    data: Pointer,
    end: Pointer,
) {
    // SAFETY: see above.
    unsafe { INVOKE_FULL.get()(context, priority, given(call), data, thunk(end)) }
}

unsafe extern "C" fn watch(channel: Pointer, what: c_int, call: Pointer, data: Pointer) -> c_uint {
    // SAFETY: see above.
    unsafe { WATCH.get()(channel, what, given(call), data) }
}

unsafe extern "C" fn watch_full(
    channel: Pointer,
    priority: c_int,
    what: c_int,
    call: Pointer,
    data: Pointer,
    end: Pointer,
) -> c_uint {
    // SAFETY: see above.
    unsafe { WATCH_FULL.get()(channel, priority, what, given(call), data, thunk(end)) }
}

unsafe extern "C" fn descriptor(fd: c_int, what: c_int, call: Pointer, data: Pointer) -> c_uint {
    // SAFETY: see above.
    unsafe { DESCRIPTOR.get()(fd, what, given(call), data) }
}

unsafe extern "C" fn descriptor_full(
    priority: c_int,
    fd: c_int,
    what: c_int,
    call: Pointer,
    data: Pointer,
    end: Pointer,
) -> c_uint {
    // SAFETY: see above.
    unsafe { DESCRIPTOR_FULL.get()(priority, fd, what, given(call), data, thunk(end)) }
}

unsafe extern "C" fn child(pid: c_int, call: Pointer, data: Pointer) -> c_uint {
    // SAFETY: see above.
    unsafe { CHILD.get()(pid, given(call), data) }
}

unsafe extern "C" fn child_full(
    priority: c_int,
    pid: c_int,
    call: Pointer,
    data: Pointer,
    end: Pointer,
) -> c_uint {
    // SAFETY: see above.
    unsafe { CHILD_FULL.get()(priority, pid, given(call), data, thunk(end)) }
}
