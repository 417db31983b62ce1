//! Who has which of libomp's mutexes, as far as it has told.
//!
//! libomp tells that a mutex was given back after it did so: by then the next
//! thread may have got it, and told so. Its turn begins when what the one
//! before did has been ordered, so it waits for that.

use crate::spin::SpinLock;
use crate::{os, tls};
use alloc::vec::Vec;

/// Mutexes that threads have, spread over lists with a lock each.
static TAKEN: [SpinLock<Vec<u64>>; 64] = [const { SpinLock::new(Vec::new()) }; 64];

/// How long to wait. The thread before has nothing to do but to tell; one that
/// does not for so long has ended, or libomp has left it out.
const PATIENCE_NS: u64 = 1_000_000_000;

/// How often to look before asking for the time.
const LOOKS: u32 = 64;

fn list(mutex: u64) -> &'static SpinLock<Vec<u64>> {
    &TAKEN[(mutex / 8) as usize % TAKEN.len()]
}

/// Waits for the turn of the calling thread, which has got `mutex`. False if
/// the one before has not told that it gave it back.
pub(super) fn begins(mutex: u64) -> bool {
    let mut looks = 0;
    let mut until = u64::MAX;
    loop {
        if is_free(mutex) {
            return true;
        }
        looks += 1;
        if looks == LOOKS {
            until = os::monotonic_ns() + PATIENCE_NS;
        } else if looks > LOOKS && os::monotonic_ns() > until {
            return false;
        }
        os::sched_yield();
    }
}

/// Takes note of `mutex`, unless another thread still has it. The calling
/// thread is outside the runtime again before the next look: the other one may
/// wait until it is.
fn is_free(mutex: u64) -> bool {
    let free = tls::section(|| {
        let mut taken = list(mutex).lock();
        let free = !taken.contains(&mutex);
        if free {
            taken.push(mutex);
        }
        free
    });
    free.unwrap_or(true)
}

/// What the calling thread did while it had `mutex` has been ordered.
pub(super) fn ends(mutex: u64) {
    let mut taken = list(mutex).lock();
    if let Some(at) = taken.iter().position(|&other| other == mutex) {
        taken.swap_remove(at);
    }
}

/// Waits until no thread changes the lists, and keeps them.
pub(super) fn before_fork() {
    for list in &TAKEN {
        list.hold();
    }
}

/// Opens them again, in parent and child.
///
/// # Safety
/// As [`SpinLock::force_unlock`].
pub(super) unsafe fn after_fork() {
    for list in &TAKEN {
        // SAFETY: passed on.
        unsafe { list.force_unlock() };
    }
}

/// In a forked child: the other threads will not tell anything any more.
pub(super) fn alone_in_child() {
    for list in &TAKEN {
        list.lock().clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::sync::atomic::{AtomicBool, Ordering};

    #[test]
    fn a_turn_begins_when_the_one_before_is_over() {
        let mutex = 0x7001_0000;
        let [waits, over] = [const { AtomicBool::new(false) }; 2];
        assert!(begins(mutex));
        std::thread::scope(|scope| {
            scope.spawn(|| {
                waits.store(true, Ordering::Release);
                assert!(begins(mutex));
                assert!(over.load(Ordering::Acquire));
                ends(mutex);
            });
            while !waits.load(Ordering::Acquire) {
                std::thread::yield_now();
            }
            (0..50).for_each(|_| std::thread::yield_now());
            over.store(true, Ordering::Release);
            ends(mutex);
        });
    }

    #[test]
    fn mutexes_of_one_list_do_not_wait_for_each_other() {
        let (one, other) = (0x7002_0000, 0x7002_0000 + 8 * TAKEN.len() as u64);
        assert!(core::ptr::eq(list(one), list(other)));
        assert!(begins(one));
        assert!(begins(other));
        ends(one);
        assert!(begins(one));
        ends(one);
        ends(other);
    }

    #[test]
    fn who_never_tells_is_waited_for_in_vain() {
        let mutex = 0x7003_0000;
        assert!(begins(mutex));
        assert!(!begins(mutex));
        ends(mutex);
        assert!(begins(mutex));
        ends(mutex);
    }
}
