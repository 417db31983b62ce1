//! Running on a stack of one's own.
//!
//! A thread of the program may have as little as 16 KiB of stack; putting
//! names to addresses needs more.

use super::memory::{map, unmap};

/// Bytes of such a stack. Only what is touched is ever backed by memory.
const SIZE: usize = 1 << 20;

/// Calls `f` on a fresh stack, or on the present one if there is no memory.
pub fn on_fresh_stack<F: FnOnce()>(f: F) {
    let Ok(bottom) = map(SIZE) else {
        return f();
    };
    let mut f = Some(f);
    // SAFETY: the new stack is mapped and ours; r12 survives the call by the
    // C convention and brings the old stack back; `f` outlives the call.
    unsafe {
        core::arch::asm!(
            "mov r12, rsp",
            "mov rsp, {top}",
            "call {run}",
            "mov rsp, r12",
            top = in(reg) bottom.add(SIZE),
            run = in(reg) run::<F> as *const (),
            in("rdi") &raw mut f,
            out("r12") _,
            clobber_abi("C"),
        );
    }
    unmap(bottom, SIZE);
}

/// # Safety
/// `f` must be valid.
unsafe extern "C" fn run<F: FnOnce()>(f: *mut Option<F>) {
    // SAFETY: the caller's promise.
    if let Some(f) = unsafe { (*f).take() } {
        f();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_elsewhere_and_comes_back() {
        let here = 0u8;
        let mut there = 0;
        let mut sum = 0;
        on_fresh_stack(|| {
            let local = [1u8; 256 << 10];
            there = &raw const local as usize;
            sum = std::hint::black_box(&local)
                .iter()
                .map(|byte| usize::from(*byte))
                .sum::<usize>();
        });
        assert_eq!(sum, 256 << 10);
        assert!(there.abs_diff(&raw const here as usize) > SIZE);
    }
}
