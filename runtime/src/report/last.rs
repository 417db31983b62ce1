//! What a thread did last before an access to be ordered with others, in words.

use super::locks::NamedLock;
use super::names::Names;
use crate::finding::{Act, LastSync};
use alloc::format;
use alloc::string::{String, ToString};

/// `posted semaphore 'ready'`: what the thread "had last" done.
pub(super) fn did(sync: &LastSync, locks: &[NamedLock], names: &Names<'_>) -> String {
    let object = sync.object.and_then(|object| locks.get(object));
    let what = object.map_or("something", |lock| lock.name.as_str());
    let thread = || {
        sync.thread
            .map_or("a thread".to_string(), |thread| names.of(thread))
    };
    let descriptor = || match sync.descriptor {
        Some(number) => format!("file descriptor {number}"),
        None => "a file descriptor".to_string(),
    };
    match sync.act {
        Act::ThreadCreate => format!("created {}", thread()),
        Act::ThreadJoin => format!("joined {}", thread()),
        Act::CondvarSignal => format!("signalled {what}"),
        Act::CondvarWait => format!("been woken on {what}"),
        Act::SemaphorePost => format!("posted {what}"),
        Act::SemaphoreWait => format!("waited for {what}"),
        Act::BarrierWait => format!("waited at {what}"),
        Act::OnceRun => format!("completed {what}"),
        Act::OncePassed => format!("found {what} done"),
        Act::AtomicRelease => format!("stored to {what} with release order"),
        Act::AtomicAcquire => format!("loaded {what} with acquire order"),
        Act::AtomicUpdate => format!("modified {what}"),
        Act::Fence => "executed a fence".to_string(),
        Act::Send => format!("written to {}", descriptor()),
        Act::Receive => format!("read from {}", descriptor()),
        Act::Release => format!("released {what}"),
        Act::Acquire => format!("acquired {what}"),
    }
}
