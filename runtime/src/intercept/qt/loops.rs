//! The ends of Qt's event loops.
//!
//! Who tells a loop to end comes before what is done behind it.

use super::Pointer;
use super::events::{called, calls};
use crate::intercept::foreign::foreign;
use crate::intercept::stub::interceptors;
use core::ffi::c_int;

foreign! { [c"libQt5Core.so.5", c"libQt6Core.so.6"]
    THREAD_EXIT = c"_ZN7QThread4exitEi": fn(Pointer, c_int);
    THREAD_QUIT = c"_ZN7QThread4quitEv": fn(Pointer);
    LOOP_EXIT = c"_ZN10QEventLoop4exitEi": fn(Pointer, c_int);
    LOOP_QUIT = c"_ZN10QEventLoop4quitEv": fn(Pointer);
    EXIT = c"_ZN16QCoreApplication4exitEi": fn(c_int);
    QUIT = c"_ZN16QCoreApplication4quitEv": fn();
    THREAD_EXEC = c"_ZN7QThread4execEv": fn(Pointer) -> c_int;
    LOOP_EXEC = c"_ZN10QEventLoop4execE6QFlagsINS_17ProcessEventsFlagEE":
        fn(Pointer, c_int) -> c_int;
    EXEC = c"_ZN16QCoreApplication4execEv": fn() -> c_int;
}

interceptors! {
    "_ZN7QThread4exitEi" => thread_exit,
    "_ZN7QThread4quitEv" => thread_quit,
    "_ZN10QEventLoop4exitEi" => loop_exit,
    "_ZN10QEventLoop4quitEv" => loop_quit,
    "_ZN16QCoreApplication4exitEi" => exit,
    "_ZN16QCoreApplication4quitEv" => quit,
    "_ZN7QThread4execEv" => thread_exec,
    "_ZN10QEventLoop4execE6QFlagsINS_17ProcessEventsFlagEE" => loop_exec,
    "_ZN16QCoreApplication4execEv" => exec,
}

// SAFETY of the calls below: the program's own arguments.

unsafe extern "C" fn thread_exit(thread: Pointer, status: c_int) {
    calls();
    // SAFETY: see above.
    unsafe { THREAD_EXIT.get()(thread, status) }
}

unsafe extern "C" fn thread_quit(thread: Pointer) {
    calls();
    // SAFETY: see above.
    unsafe { THREAD_QUIT.get()(thread) }
}

unsafe extern "C" fn loop_exit(it: Pointer, status: c_int) {
    calls();
    // SAFETY: see above.
    unsafe { LOOP_EXIT.get()(it, status) }
}

unsafe extern "C" fn loop_quit(it: Pointer) {
    calls();
    // SAFETY: see above.
    unsafe { LOOP_QUIT.get()(it) }
}

unsafe extern "C" fn exit(status: c_int) {
    calls();
    // SAFETY: see above.
    unsafe { EXIT.get()(status) }
}

unsafe extern "C" fn quit() {
    calls();
    // SAFETY: see above.
    unsafe { QUIT.get()() }
}

unsafe extern "C" fn thread_exec(thread: Pointer) -> c_int {
    // SAFETY: see above.
    let status = unsafe { THREAD_EXEC.get()(thread) };
    called();
    status
}

unsafe extern "C" fn loop_exec(it: Pointer, flags: c_int) -> c_int {
    // SAFETY: see above.
    let status = unsafe { LOOP_EXEC.get()(it, flags) };
    called();
    status
}

unsafe extern "C" fn exec() -> c_int {
    // SAFETY: see above.
    let status = unsafe { EXEC.get()() };
    called();
    status
}
