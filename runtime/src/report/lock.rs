//! A lock whose waiters sleep.
//!
//! Writing a report takes milliseconds, which is too long to spin. States of
//! the word: 0 free, 1 held, 2 held and somebody may be asleep,
//! 3 when the runtime has switched itself off.

use crate::internal_error::leave_if_off;
use crate::os::{futex_wait, futex_wake};
use core::cell::UnsafeCell;
use core::ops::{Deref, DerefMut};
use core::sync::atomic::{AtomicU32, Ordering};

const FREE: u32 = 0;
const HELD: u32 = 1;
const CONTENDED: u32 = 2;
/// Nobody gets it any more.
const ABANDONED: u32 = 3;

/// A value guarded by the lock.
pub(super) struct SleepLock<T> {
    word: AtomicU32,
    value: UnsafeCell<T>,
}

// SAFETY: the lock gives out one reference at a time.
unsafe impl<T: Send> Sync for SleepLock<T> {}

/// Holds the lock until dropped.
pub(super) struct Guard<'a, T>(&'a SleepLock<T>);

impl<T> SleepLock<T> {
    /// A lock around `value`.
    pub(super) const fn new(value: T) -> Self {
        SleepLock {
            word: AtomicU32::new(FREE),
            value: UnsafeCell::new(value),
        }
    }

    /// Waits for the lock.
    pub(super) fn lock(&self) -> Guard<'_, T> {
        let taken = self
            .word
            .compare_exchange(FREE, HELD, Ordering::Acquire, Ordering::Relaxed);
        if taken.is_err() {
            while self.word.swap(CONTENDED, Ordering::Acquire) != FREE {
                leave_if_off();
                futex_wait(&self.word, CONTENDED);
            }
        }
        leave_if_off();
        Guard(self)
    }

    /// Sends away whoever waits for the lock: the runtime is off.
    pub(super) fn abandon(&self) {
        self.word.store(ABANDONED, Ordering::SeqCst);
        futex_wake(&self.word, i32::MAX as u32);
    }
}

impl<T> Deref for Guard<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        // SAFETY: the guard proves the lock is held.
        unsafe { &*self.0.value.get() }
    }
}

impl<T> DerefMut for Guard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: the guard proves the lock is held, and is borrowed mutably.
        unsafe { &mut *self.0.value.get() }
    }
}

impl<T> Drop for Guard<'_, T> {
    fn drop(&mut self) {
        if self.0.word.swap(FREE, Ordering::Release) == CONTENDED {
            futex_wake(&self.0.word, 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_at_a_time() {
        let lock = SleepLock::new((0u64, 0u64));
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..10_000 {
                        let mut pair = lock.lock();
                        let (first, second) = &mut *pair;
                        *first += 1;
                        *second = std::hint::black_box(*second) + 1;
                        assert_eq!(first, second);
                    }
                });
            }
        });
        assert_eq!(*lock.lock(), (40_000, 40_000));
    }
}
