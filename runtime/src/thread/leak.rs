//! Threads that nobody waits for.
//!
//! A thread that has ended keeps its stack and its result until somebody joins
//! or detaches it.

use super::registry;
use crate::options;
use crate::report::{self, Notice};
use crate::suppress::Class;
use alloc::format;
use alloc::string::String;

/// The process exits; the caller has entered the runtime.
pub(crate) fn process_ending() {
    if !options::get().report_thread_leaks {
        return;
    }
    for (thread, count) in registry::left_over() {
        let Some((creator, stack)) = thread.created else {
            continue;
        };
        let others = match count - 1 {
            0 => String::new(),
            1 => " and 1 more".into(),
            more => format!(" and {more} more"),
        };
        let has = if count == 1 { "has" } else { "have" };
        let was = if count == 1 { "was" } else { "were" };
        let mut who = report::thread_name(thread.number);
        who.replace_range(..1, "T");
        let said = format!(
            "{who}{others} {has} ended and {was} neither joined nor detached, created by {} at:",
            report::thread_name(creator)
        );
        report::notice(&Notice {
            id: "thread-leak",
            title: "thread leak",
            said: &said,
            thread: thread.number,
            suggestion: Some("join the thread with pthread_join, or detach it"),
            stack,
            class: Class::Thread,
            once: true,
        });
    }
}
