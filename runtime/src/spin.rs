//! A lock for the runtime's own short critical sections.
//!
//! It spins briefly, then yields the processor: the sections it guards are a
//! few dozen instructions, and the holder may have been descheduled. Who waits
//! looks away for longer each time: every look takes the cache line from the
//! holder, and two threads that use the same variables are done sooner if each
//! gets on for a while than if they take turns at every step. But who has waited
//! that long goes first: a program that spins on an atomic variable takes the
//! lock of that variable over and over, and the thread that would end its
//! spinning must get its turn. It is never taken in code a signal handler can
//! interrupt and re-enter; see [`crate::tls::enter`].

use core::cell::UnsafeCell;
use core::ops::{Deref, DerefMut};
use core::sync::atomic::{AtomicBool, Ordering};

/// How often to look before yielding the processor: some ten microseconds, the
/// processor being told to pause before each look, twice as often as before the
/// last one.
const LOOKS: u32 = 4;
/// How often it is told so before the first.
const PAUSES: u32 = 64;

/// How often to yield to a thread that has waited longer, if it does not take
/// its turn by itself. Another program may get the processor each time.
const POLITE: u32 = 4;
/// How often to look whether it has, before yielding.
const CHANCES: u32 = 64;

/// A value guarded by a spin lock. The lock comes first, so that it shares a
/// cache line with the first fields of the value.
#[derive(Default)]
#[repr(C)]
pub struct SpinLock<T> {
    held: AtomicBool,
    /// Somebody has been waiting for long.
    hungry: AtomicBool,
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
            hungry: AtomicBool::new(false),
            value: UnsafeCell::new(value),
        }
    }

    /// Waits for the lock.
    #[inline]
    pub fn lock(&self) -> SpinGuard<'_, T> {
        if !self.hungry.load(Ordering::Relaxed)
            && !self.held.load(Ordering::Relaxed)
            && let Some(guard) = self.try_lock()
        {
            return guard;
        }
        self.wait()
    }

    #[cold]
    fn wait(&self) -> SpinGuard<'_, T> {
        self.let_others_go_first();
        let mut looks = 0;
        loop {
            if looks < LOOKS {
                for _ in 0..PAUSES << looks {
                    core::hint::spin_loop();
                }
            } else {
                crate::internal_error::leave_if_off();
                self.hungry.store(true, Ordering::Relaxed);
                crate::os::sched_yield();
            }
            if !self.held.load(Ordering::Relaxed)
                && let Some(guard) = self.try_lock()
            {
                if looks >= LOOKS {
                    self.hungry.store(false, Ordering::Relaxed);
                }
                return guard;
            }
            looks = LOOKS.min(looks + 1);
        }
    }

    /// Makes way for who has waited for long, if there is such a thread; in a
    /// forked child there may be none any more, so not for ever.
    fn let_others_go_first(&self) {
        for _ in 0..POLITE {
            for _ in 0..CHANCES {
                if !self.hungry.load(Ordering::Relaxed) {
                    return;
                }
                core::hint::spin_loop();
            }
            crate::os::sched_yield();
        }
        self.hungry.store(false, Ordering::Relaxed);
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
