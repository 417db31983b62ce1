//! The ring buffer with an index that publishes what was written before it.

use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

const SLOTS: usize = 16;

struct Ring {
    slots: [UnsafeCell<u64>; SLOTS],
    written: AtomicUsize,
}

// SAFETY: a slot is read only after the release that follows its write, and
// the example writes fewer values than there are slots.
unsafe impl Sync for Ring {}

impl Ring {
    fn push(&self, value: u64) {
        let index = self.written.load(Ordering::Relaxed);
        unsafe { *self.slots[index].get() = value };
        self.written.store(index + 1, Ordering::Release);
    }

    fn last(&self) -> Option<u64> {
        let index = self.written.load(Ordering::Acquire);
        let slot = index.checked_sub(1)?;
        Some(unsafe { *self.slots[slot].get() })
    }
}

static RING: Ring = Ring {
    slots: [const { UnsafeCell::new(0) }; SLOTS],
    written: AtomicUsize::new(0),
};

fn main() {
    let writer = thread::spawn(|| (1..=10).for_each(|value| RING.push(value)));
    let seen = RING.last();
    writer.join().unwrap();
    println!("saw {}, then {:?}", seen.is_some(), RING.last());
}
