//! A ring buffer for one writer and one reader that says `Sync` of itself, but
//! whose indices are ordinary numbers.

use std::cell::UnsafeCell;
use std::thread;

const SLOTS: usize = 16;

struct Ring {
    slots: UnsafeCell<[u64; SLOTS]>,
    written: UnsafeCell<usize>,
}

// The claim the compiler has to believe, and racert does not.
unsafe impl Sync for Ring {}

impl Ring {
    fn push(&self, value: u64) {
        unsafe {
            let index = *self.written.get();
            (*self.slots.get())[index % SLOTS] = value;
            *self.written.get() = index + 1;
        }
    }

    fn last(&self) -> Option<u64> {
        unsafe {
            let index = *self.written.get();
            (index > 0).then(|| (*self.slots.get())[(index - 1) % SLOTS])
        }
    }
}

static RING: Ring = Ring {
    slots: UnsafeCell::new([0; SLOTS]),
    written: UnsafeCell::new(0),
};

fn main() {
    let writer = thread::spawn(|| (1..=10).for_each(|value| RING.push(value)));
    let seen = RING.last();
    writer.join().unwrap();
    println!("saw {}, then {:?}", seen.is_some(), RING.last());
}
