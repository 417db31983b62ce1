//! Holding signals off.

use super::call::syscall;

/// Signals are held back until this is dropped.
pub struct SignalsBlocked {
    before: u64,
}

/// Blocks every signal for this thread, except those that its own faults
/// raise.
pub fn block_signals() -> SignalsBlocked {
    let faults = [
        libc::SIGSEGV,
        libc::SIGBUS,
        libc::SIGILL,
        libc::SIGFPE,
        libc::SIGTRAP,
        libc::SIGABRT,
    ];
    let mask = faults.iter().fold(!0u64, |mask, n| mask & !(1 << (n - 1)));
    SignalsBlocked {
        before: set_mask(mask),
    }
}

impl Drop for SignalsBlocked {
    fn drop(&mut self) {
        set_mask(self.before);
    }
}

fn set_mask(mask: u64) -> u64 {
    let mut before = 0u64;
    let args = [
        libc::SIG_SETMASK as usize,
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
}
