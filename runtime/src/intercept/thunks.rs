//! Callbacks that get a *thunk*: a few instructions which tell that they are
//! called, and go on in them.

use core::sync::atomic::{AtomicUsize, Ordering};

/// Bytes of code of each thunk.
pub(super) const SIZE: usize = 16;

/// Callbacks by the number of their thunk. One that comes when all are used is
/// called as it is.
pub(super) struct Thunks<const COUNT: usize>([AtomicUsize; COUNT]);

impl<const COUNT: usize> Thunks<COUNT> {
    pub(super) const fn new() -> Self {
        Thunks([const { AtomicUsize::new(0) }; COUNT])
    }

    /// The callback of thunk number `index`.
    pub(super) fn get(&self, index: usize) -> usize {
        self.0[index % COUNT].load(Ordering::Acquire)
    }

    /// The thunk of `callback`, of those with code from `first` on, or itself.
    pub(super) fn of(&self, callback: usize, first: usize) -> usize {
        let is_thunk = (first..first + COUNT * SIZE).contains(&callback);
        if callback == 0 || is_thunk {
            return callback;
        }
        let start = (callback >> 4).wrapping_mul(0x9e37_79b9) >> 7;
        for step in 0..COUNT {
            let index = start.wrapping_add(step) % COUNT;
            let entry = &self.0[index];
            let known = match entry.load(Ordering::Acquire) {
                0 => entry
                    .compare_exchange(0, callback, Ordering::AcqRel, Ordering::Acquire)
                    .unwrap_or_else(|other| other),
                known => known,
            };
            if known == callback || known == 0 {
                return first + index * SIZE;
            }
        }
        callback
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_callback_has_one_thunk_and_a_thunk_none() {
        const FIRST: usize = 1 << 20;
        let thunks = Thunks::<2>::new();
        let once = thunks.of(0x4242_4240, FIRST);
        assert_ne!(once, 0x4242_4240);
        assert_eq!(thunks.of(0x4242_4240, FIRST), once);
        assert_eq!(thunks.of(once, FIRST), once);
        assert_eq!(thunks.of(0, FIRST), 0);
        assert_eq!(thunks.get((once - FIRST) / SIZE), 0x4242_4240);
        assert_ne!(thunks.of(0x4242_4250, FIRST), once);
        assert_eq!(thunks.of(0x4242_4260, FIRST), 0x4242_4260);
    }
}
