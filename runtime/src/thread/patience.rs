//! When a thread that spins on an atomic variable lets others run.
//!
//! Spinning takes longer here than the program expects, so whoever could end it
//! is more often without a processor, and may need this one. But whoever gets it
//! may be another program, which keeps it for long; two threads that hand a
//! variable to and fro make no way at all if each is gone while the other looks.
//! So before a thread yields once more it spins for as long as it was gone the
//! last time: what yielding costs is lost twice at most, and threads that run at
//! the same time are left alone. If another thread of the program yielded on the
//! same processor meanwhile, it was there for that one, and yields as often as
//! ever: the two would only teach each other to wait.

use crate::os;
use core::arch::x86_64::_rdtsc;
use core::sync::atomic::{AtomicU64, Ordering};

/// Attempts in vain after which a thread thinks of the others.
const FUTILE: u32 = 64;

/// Loads of one variable after which it does so, too.
const LOOKS: u32 = 1000;

/// It never spins for longer than this: some milliseconds.
const MOST: u64 = 10_000_000;

/// When a thread last yielded, by processor; several may share a place.
static YIELDED: [AtomicU64; 64] = [const { AtomicU64::new(0) }; 64];

/// What a thread has waited for, and how long it waits on.
#[derive(Default)]
pub(super) struct Patience {
    /// Exchanges in a row that found another value than they wanted.
    futile: u32,
    /// The variable it loaded last, and how often in a row.
    loaded: (usize, u32),
    /// When it first thought of the others; 0 if it waits for nothing.
    since: u64,
    /// How long it was gone of late when it yielded.
    gone: u64,
}

impl Patience {
    /// It tried to change a variable, and did if `done`.
    #[inline]
    pub(super) fn attempted(&mut self, done: bool) {
        if done {
            return self.got_on();
        }
        self.futile += 1;
        if self.futile == FUTILE {
            self.futile = 0;
            self.think();
        }
    }

    /// It loaded the variable at `addr`.
    #[inline]
    pub(super) fn looked_at(&mut self, addr: usize) {
        if self.loaded.0 != addr {
            self.loaded = (addr, 0);
            self.since = 0;
            return;
        }
        self.loaded.1 += 1;
        if self.loaded.1 == LOOKS {
            self.loaded.1 = 0;
            self.think();
        }
    }

    /// It changed a variable: whatever it waited for has come.
    #[inline]
    pub(super) fn got_on(&mut self) {
        self.futile = 0;
        self.loaded.1 = 0;
        self.since = 0;
    }

    #[cold]
    fn think(&mut self) {
        let now = time();
        if self.since == 0 {
            self.since = now;
        }
        if now.wrapping_sub(self.since) < self.gone {
            return;
        }
        let place = &YIELDED[os::processor() as usize % YIELDED.len()];
        place.store(now, Ordering::Relaxed);
        os::sched_yield();
        self.since = time();
        let for_another = place.load(Ordering::Relaxed) != now;
        self.was_gone(self.since.wrapping_sub(now).min(MOST), for_another);
    }

    /// Once is enough to be careful; more than once, to be so no longer.
    fn was_gone(&mut self, time: u64, for_another: bool) {
        let time = if for_another { 0 } else { time };
        self.gone = time.max(self.gone - self.gone.saturating_sub(time) / 8);
    }
}

/// In cycles of the processor's clock.
fn time() -> u64 {
    // SAFETY: every x86-64 processor has it.
    unsafe { _rdtsc() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How often it thinks of the others in `times` steps.
    fn thoughts(patience: &mut Patience, times: u32, step: impl Fn(&mut Patience)) -> u32 {
        let mut count = 0;
        for _ in 0..times {
            patience.since = 1;
            // So it would yield.
            patience.gone = 0;
            step(patience);
            count += u32::from(patience.since > 1);
        }
        count
    }

    #[test]
    fn who_gets_on_does_not_yield() {
        let mut patience = Patience::default();
        let waiting = thoughts(&mut patience, 10 * LOOKS, |p| p.looked_at(0x1000));
        assert!(waiting >= 9);
        let getting_on = thoughts(&mut patience, 10 * LOOKS, |p| {
            p.looked_at(0x1000);
            p.got_on();
        });
        assert_eq!(getting_on, 0);
        let exchanging = thoughts(&mut patience, 10 * FUTILE, |p| {
            p.attempted(false);
            p.attempted(true);
        });
        assert_eq!(exchanging, 0);
    }

    #[test]
    fn it_spins_for_as_long_as_it_was_gone() {
        let mut patience = Patience {
            gone: u64::MAX,
            ..Patience::default()
        };
        for _ in 0..10 * FUTILE {
            patience.attempted(false);
        }
        assert_eq!(patience.gone, u64::MAX);
        patience.gone = 0;
        patience.was_gone(MOST, false);
        assert_eq!(patience.gone, MOST);
        patience.was_gone(MOST / 2, false);
        assert!(patience.gone < MOST && patience.gone > MOST / 2);
        for _ in 0..200 {
            patience.was_gone(MOST, true);
        }
        assert!(patience.gone < 8);
    }
}
