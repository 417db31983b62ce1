//! GLib's main loop: what one thread gives the loop of another to do.
//!
//! Whoever makes a source or attaches it comes before what is called for it.

use super::callbacks::{given, sends, thunk};
use super::foreign::foreign;
use super::glib_dispatch;
use super::stub::interceptors;
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

// SAFETY of the calls below: the program's own arguments, but for callbacks,
// whose thunks do the same.

unsafe extern "C" fn attach(source: Pointer, context: Pointer) -> c_uint {
    sends();
    // SAFETY: see above.
    unsafe { ATTACH.get()(source, context) }
}

unsafe extern "C" fn set_callback(source: Pointer, call: Pointer, data: Pointer, end: Pointer) {
    sends();
    // SAFETY: the program's own source.
    let call = match unsafe { glib_dispatch::calls_anything(source.cast()) } {
        true => thunk(call),
        false => call,
    };
    let end = thunk(end);
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
