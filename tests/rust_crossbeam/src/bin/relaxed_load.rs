//! The reader gets a pointer by a relaxed load, which orders nothing.

use crossbeam::epoch::{self, Atomic, Owned};
use std::sync::atomic::Ordering;
use std::thread;

fn main() {
    let shared: &'static Atomic<u64> = Box::leak(Box::new(Atomic::null()));
    let writer = thread::spawn(move || shared.store(Owned::new(7), Ordering::Release));
    let reader = thread::spawn(move || loop {
        let guard = epoch::pin();
        if let Some(value) = unsafe { shared.load(Ordering::Relaxed, &guard).as_ref() } {
            return *value;
        }
    });
    writer.join().unwrap();
    assert_eq!(reader.join().unwrap(), 7);
}
