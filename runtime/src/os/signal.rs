//! Holding signals off.

use super::call::syscall;
use crate::internal_error;

/// Signals are held back until this is dropped.
pub struct SignalsBlocked {
    before: u64,
    /// Is it restored if the runtime switches itself off?
    noted: bool,
}

/// All but those that a thread's own faults raise, and those that cannot be
/// blocked.
const BLOCKED: u64 = !(bit(libc::SIGSEGV)
    | bit(libc::SIGBUS)
    | bit(libc::SIGILL)
    | bit(libc::SIGFPE)
    | bit(libc::SIGTRAP)
    | bit(libc::SIGABRT)
    | bit(libc::SIGKILL)
    | bit(libc::SIGSTOP));

/// Blocks every signal for this thread, except those that its own faults
/// raise.
pub fn block_signals() -> SignalsBlocked {
    let before = set_mask(BLOCKED);
    SignalsBlocked {
        before,
        noted: internal_error::note_mask(before),
    }
}

impl SignalsBlocked {
    /// What was blocked before.
    pub fn before(&self) -> u64 {
        self.before
    }
}

/// In a thread created while all signals were blocked: blocks what was blocked
/// `before`, unless the thread was given a mask of its own.
pub fn unblock_signals(before: u64) {
    // libc needs these two for itself and lets new threads have them.
    let libcs = bit(32) | bit(33);
    if change_mask(libc::SIG_BLOCK, 0) | libcs == BLOCKED {
        set_mask(before);
    }
}

impl Drop for SignalsBlocked {
    fn drop(&mut self) {
        if self.noted {
            internal_error::forget_mask();
        }
        set_mask(self.before);
    }
}

const fn bit(signal: i32) -> u64 {
    1 << (signal - 1)
}

/// What writing raises: nobody reads the pipe, or the file may not grow.
const BY_WRITING: u64 = bit(libc::SIGPIPE) | bit(libc::SIGXFSZ);

/// Until this is dropped, a write that fails raises no signal. Without it a
/// report nobody reads would end a program that never wrote a byte itself.
pub(super) struct WritesRaiseNothing {
    mask: u64,
    pending: u64,
}

/// Keeps the signals of failing writes from this thread.
pub(super) fn writes_raise_nothing() -> WritesRaiseNothing {
    WritesRaiseNothing {
        mask: change_mask(libc::SIG_BLOCK, BY_WRITING),
        pending: pending(),
    }
}

impl Drop for WritesRaiseNothing {
    fn drop(&mut self) {
        let mut raised = pending() & BY_WRITING & !self.pending;
        while raised != 0 && take_pending(raised) {
            raised &= pending();
        }
        set_mask(self.mask);
    }
}

/// Signals that wait for this thread.
fn pending() -> u64 {
    let mut set = 0u64;
    let args = [&raw mut set as usize, size_of::<u64>(), 0, 0, 0, 0];
    // SAFETY: the kernel fills its 8-byte signal set.
    let _ = unsafe { syscall(libc::SYS_rt_sigpending, args) };
    set
}

/// Takes one of `set` that waits; is there one?
fn take_pending(set: u64) -> bool {
    let at_once = [0u64; 2];
    let args = [
        &raw const set as usize,
        0,
        at_once.as_ptr() as usize,
        size_of::<u64>(),
        0,
        0,
    ];
    // SAFETY: a signal set, no place for details, and a time of zero.
    unsafe { syscall(libc::SYS_rt_sigtimedwait, args) }.is_ok()
}

/// Blocks these signals and no others; what was blocked before.
pub fn set_mask(mask: u64) -> u64 {
    change_mask(libc::SIG_SETMASK, mask)
}

fn change_mask(how: i32, mask: u64) -> u64 {
    let mut before = 0u64;
    let args = [
        how as usize,
        &raw const mask as usize,
        &raw mut before as usize,
        size_of::<u64>(),
        0,
        0,
    ];
    // SAFETY: both words are the kernel's 8-byte signal set.
    let _ = unsafe { syscall(libc::SYS_rt_sigprocmask, args) };
    before
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mask_comes_back() {
        let before = set_mask(1 << (libc::SIGUSR1 - 1));
        {
            let _blocked = block_signals();
            let inside = set_mask(0);
            assert_ne!(inside & (1 << (libc::SIGTERM - 1)), 0);
            assert_eq!(inside & (1 << (libc::SIGSEGV - 1)), 0);
        }
        assert_eq!(set_mask(before), 1 << (libc::SIGUSR1 - 1));
    }

    #[test]
    fn a_write_nobody_reads_raises_nothing() {
        let mut ends = [0; 2];
        // SAFETY: room for two descriptors; the reading one is closed.
        unsafe {
            assert_eq!(libc::pipe(ends.as_mut_ptr()), 0);
            libc::close(ends[0]);
        }
        // Rust's test harness ignores the signal; as a program is started, it
        // would be the end.
        // SAFETY: nothing else in this process writes to closed pipes.
        let before = unsafe { libc::signal(libc::SIGPIPE, libc::SIG_DFL) };
        crate::os::write_all(ends[1], b"unheard");
        assert_eq!(pending() & BY_WRITING, 0);
        // SAFETY: as before.
        unsafe { libc::signal(libc::SIGPIPE, before) };
    }
}
