//! Functions whose work does not count: what they do is right, and the order
//! in which they happen to do it is nothing that a program may rely on.
//!
//! Every thread of a Rust program enters itself into a table of stacks when it
//! begins, and leaves it when it ends, under a lock of the standard library's
//! (for the message about a stack that overflows). So whoever begins later
//! would come after all that a thread which has ended did, and races between
//! threads that do not run for long would hide behind that.

use crate::access::Collected;
use crate::llvm::builder::Builder;
use crate::llvm::value::Value;
use crate::runtime::Runtime;

/// The functions' paths in Rust's mangled names, old and new.
const PATHS: [&str; 4] = [
    "14stack_overflow3imp12make_handler",
    "14stack_overflow3imp12drop_handler",
    "14stack_overflow11thread_info16set_current_info",
    "14stack_overflow11thread_info19delete_current_info",
];

/// Is `name` that of such a function?
pub(crate) fn is_one(name: &str) -> bool {
    let is_std = name.starts_with("_R") || name.starts_with("_ZN3std3sys");
    is_std
        && PATHS.iter().any(|path| {
            let behind = name.split_once(path).map(|(_, behind)| behind);
            behind.is_some_and(|behind| behind.is_empty() || behind.starts_with("17h"))
        })
}

/// Has the runtime look away from where `function` is entered until it is left.
pub(crate) fn instrument(runtime: &Runtime<'_>, function: Value, found: &Collected) {
    let start = function.entry_insertion_point();
    let builder = Builder::before_at(runtime.module, start, function.line_zero());
    builder.call(runtime.unseen(true), &[]);
    for exit in &found.exits {
        Builder::before(runtime.module, *exit).call(runtime.unseen(false), &[]);
    }
}

#[cfg(test)]
mod tests {
    use super::is_one;

    #[test]
    fn names_old_and_new() {
        let new = "_RNvNtNtNtNtNtCsjrHSEGnQ3l9_3std3sys3pal4unix14stack_overflow3imp12make_handler";
        let old = "_ZN3std3sys3pal4unix14stack_overflow3imp12drop_handler17h0123456789abcdefE";
        assert!(is_one(new) && is_one(old));
        assert!(!is_one(&new.replace("make_handler", "make_handlet")));
        assert!(!is_one(
            "_ZN4mine14stack_overflow3imp12drop_handler17h0123456789abcdefE"
        ));
        assert!(!is_one(
            "_RNvNtCs0_3std14stack_overflow3imp14signal_handler"
        ));
    }
}
