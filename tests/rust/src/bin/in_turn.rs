//! Threads of which each has ended before the next begins. Only with the word
//! `joined` does the program see to that; else nothing orders what they do.

use rust_under_racert::Shared;
use std::thread;

static CELL: Shared<u32> = Shared::new(0);

/// Waits until there is no other thread, without being told so by one.
fn until_alone() {
    let threads = || std::fs::read_dir("/proc/self/task").unwrap().count();
    while threads() > 1 {
        thread::yield_now();
    }
}

fn main() {
    let joined = std::env::args().nth(1).as_deref() == Some("joined");
    let mut threads = Vec::new();
    for value in 1..=3 {
        let thread = thread::spawn(move || CELL.set(value));
        if joined {
            thread.join().unwrap();
        } else {
            until_alone();
            threads.push(thread);
        }
    }
    for thread in threads {
        thread.join().unwrap();
    }
    println!("{}", CELL.get());
}
