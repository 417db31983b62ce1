//! Correct uses of what the standard library offers for threads, each of which
//! must be silent, and one race through `unsafe`, which must not.

use std::cell::UnsafeCell;

/// A cell that any thread may touch: what orders them is the caller's business.
pub struct Shared<T>(UnsafeCell<T>);

// SAFETY: a claim that the tests keep and the race breaks.
unsafe impl<T: Send> Sync for Shared<T> {}

impl<T> Shared<T> {
    /// A cell with `value`.
    pub const fn new(value: T) -> Self {
        Shared(UnsafeCell::new(value))
    }

    /// Writes without any synchronisation.
    #[inline(never)]
    pub fn set(&self, value: T) {
        unsafe { *self.0.get() = value }
    }
}

impl<T: Copy> Shared<T> {
    /// Reads without any synchronisation.
    ///
    /// ```
    /// let cell = rust_under_racert::Shared::new(1);
    /// std::thread::scope(|scope| {
    ///     scope.spawn(|| cell.set(2));
    /// });
    /// assert_eq!(cell.get(), 2);
    /// ```
    #[inline(never)]
    pub fn get(&self) -> T {
        unsafe { *self.0.get() }
    }
}
