//! A lock for the runtime's own short critical sections.
//!
//! It spins briefly, then yields the processor: the sections it guards are a
//! few dozen instructions, and the holder may have been descheduled. It is
//! never taken in code a signal handler can interrupt and re-enter; see
//! [`crate::tls::enter`].

use core::cell::UnsafeCell;
use core::ops::{Deref, DerefMut};
use core::sync::atomic::{AtomicBool, Ordering};

/// A value guarded by a spin lock. The lock comes first, so that it shares a
/// cache line with the first fields of the value.
#[derive(Default)]
#[repr(C)]
pub struct SpinLock<T> {
    held: AtomicBool,
    value: UnsafeCell<T>,
}

// SAFETY: the lock gives out one reference at a time.
unsafe impl<T: Send> Sync for SpinLock<T> {}

/// Holds the lock until dropped.
pub struct SpinGuard<'a, T>(&'a SpinLock<T>);

impl<T> SpinLock<T> {
    /// A lock around `value`.
    pub const fn new(value: T) -> Self {
        SpinLock {
            held: AtomicBool::new(false),
            value: UnsafeCell::new(value),
        }
    }

    /// Waits for the lock.
    pub fn lock(&self) -> SpinGuard<'_, T> {
        loop {
            if let Some(guard) = self.try_lock() {
                return guard;
            }
            let mut spins = 0;
            while self.held.load(Ordering::Relaxed) {
                spins += 1;
                if spins < 64 {
                    core::hint::spin_loop();
                } else {
                    crate::os::sched_yield();
                }
            }
        }
    }

    /// Takes the lock if it is free.
    pub fn try_lock(&self) -> Option<SpinGuard<'_, T>> {
        // Lazily: a guard that is made opens the lock when it is dropped.
        (!self.held.swap(true, Ordering::Acquire)).then(|| SpinGuard(self))
    }

    /// Waits for the lock and keeps it, until [`SpinLock::force_unlock`].
    pub fn hold(&self) {
        core::mem::forget(self.lock());
    }

    /// Opens the lock after [`SpinLock::hold`], or in a forked child, where
    /// the holder does not exist.
    ///
    /// # Safety
    /// The lock is the caller's, or no other thread is running; and the value
    /// must be consistent.
    pub unsafe fn force_unlock(&self) {
        self.held.store(false, Ordering::Release);
    }

    /// If the lock is held, by a thread that does not exist in this forked
    /// child: opens it and puts `value` in place of what may be half changed.
    ///
    /// # Safety
    /// No other thread may be running.
    pub unsafe fn reset_if_held(&self, value: T) {
        if self.held.load(Ordering::Acquire) {
            // SAFETY: nobody else is there. The old value is not dropped: it
            // may be inconsistent.
            unsafe { self.value.get().write(value) };
            self.held.store(false, Ordering::Release);
        }
    }
}

impl<T> Deref for SpinGuard<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        // SAFETY: the guard proves the lock is held.
        unsafe { &*self.0.value.get() }
    }
}

impl<T> DerefMut for SpinGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: the guard proves the lock is held, and is borrowed mutably.
        unsafe { &mut *self.0.value.get() }
    }
}

impl<T> Drop for SpinGuard<'_, T> {
    fn drop(&mut self) {
        self.0.held.store(false, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_attempt_leaves_the_lock_closed() {
        let lock = SpinLock::new(5);
        let guard = lock.lock();
        assert!(lock.try_lock().is_none());
        assert!(lock.try_lock().is_none());
        drop(guard);
        assert_eq!(lock.try_lock().map(|v| *v), Some(5));
    }
}
