//! The sender goes on writing to what it has sent.

use crossbeam::channel;
use std::cell::UnsafeCell;
use std::thread;

struct Shared(UnsafeCell<u64>);

// SAFETY: a claim that this program breaks.
unsafe impl Sync for Shared {}

fn main() {
    let cell: &'static Shared = Box::leak(Box::new(Shared(UnsafeCell::new(0))));
    let (sender, receiver) = channel::bounded(1);
    // Kept until both are done: the last to go would tell the other side.
    let (_sender, _receiver) = (sender.clone(), receiver.clone());
    let writer = thread::spawn(move || {
        sender.send(cell).unwrap();
        unsafe { *cell.0.get() += 1 }
    });
    let reader = thread::spawn(move || unsafe { *receiver.recv().unwrap().0.get() });
    writer.join().unwrap();
    reader.join().unwrap();
}
