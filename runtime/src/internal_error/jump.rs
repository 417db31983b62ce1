//! Leaving many frames at once.
//!
//! Nothing unwinds in the runtime, so the frames between the error and the
//! place to go back to are simply left, as `longjmp` does: what they own is
//! lost. [`attempt`] is one call of a function that the compiler knows nothing
//! about; that it came back by another way than it seems, with the registers
//! that such a call keeps, is not for its caller to see.

use core::ffi::c_void;
use core::mem::ManuallyDrop;

/// What is attempted, and what it needs.
pub(super) type Function = unsafe extern "C" fn(*mut c_void);

core::arch::global_asm!(
    // The stack pointer to go back to, 0 without one; then the signal mask to
    // restore there, and whether there is one.
    ".section .tbss.__racert_retreat,\"awT\",@nobits",
    ".hidden __racert_retreat",
    ".globl __racert_retreat",
    ".type __racert_retreat, @object",
    ".size __racert_retreat, 24",
    ".p2align 3",
    "__racert_retreat:",
    ".zero 24",
    // bool attempt(Function f, void *data): calls f(data). False if it was
    // left by a retreat.
    ".pushsection .text.__racert_attempt,\"ax\",@progbits",
    ".p2align 4",
    ".hidden __racert_attempt",
    ".globl __racert_attempt",
    ".type __racert_attempt, @function",
    "__racert_attempt:",
    ".cfi_startproc",
    "push rbp",
    ".cfi_adjust_cfa_offset 8",
    ".cfi_rel_offset rbp, 0",
    "push rbx",
    ".cfi_adjust_cfa_offset 8",
    ".cfi_rel_offset rbx, 0",
    "push r12",
    ".cfi_adjust_cfa_offset 8",
    ".cfi_rel_offset r12, 0",
    "push r13",
    ".cfi_adjust_cfa_offset 8",
    ".cfi_rel_offset r13, 0",
    "push r14",
    ".cfi_adjust_cfa_offset 8",
    ".cfi_rel_offset r14, 0",
    "push r15",
    ".cfi_adjust_cfa_offset 8",
    ".cfi_rel_offset r15, 0",
    "mov rcx, qword ptr [rip + __racert_retreat@gottpoff]",
    "push qword ptr fs:[rcx]",
    ".cfi_adjust_cfa_offset 8",
    "mov qword ptr fs:[rcx], rsp",
    "mov rax, rdi",
    "mov rdi, rsi",
    "call rax",
    "mov eax, 1",
    "2:",
    "mov rcx, qword ptr [rip + __racert_retreat@gottpoff]",
    "pop qword ptr fs:[rcx]",
    ".cfi_adjust_cfa_offset -8",
    "pop r15",
    ".cfi_adjust_cfa_offset -8",
    ".cfi_restore r15",
    "pop r14",
    ".cfi_adjust_cfa_offset -8",
    ".cfi_restore r14",
    "pop r13",
    ".cfi_adjust_cfa_offset -8",
    ".cfi_restore r13",
    "pop r12",
    ".cfi_adjust_cfa_offset -8",
    ".cfi_restore r12",
    "pop rbx",
    ".cfi_adjust_cfa_offset -8",
    ".cfi_restore rbx",
    "pop rbp",
    ".cfi_adjust_cfa_offset -8",
    ".cfi_restore rbp",
    "ret",
    ".cfi_endproc",
    ".size __racert_attempt, . - __racert_attempt",
    // void go_back(void *stack): returns false from the attempt whose stack
    // pointer that is.
    ".hidden __racert_go_back",
    ".globl __racert_go_back",
    ".type __racert_go_back, @function",
    "__racert_go_back:",
    "mov rsp, rdi",
    "cld",
    "xor eax, eax",
    "jmp 2b",
    ".size __racert_go_back, . - __racert_go_back",
    ".popsection",
    ".text",
);

unsafe extern "C" {
    #[link_name = "__racert_attempt"]
    fn attempt_asm(function: Function, data: *mut c_void) -> bool;
    #[link_name = "__racert_go_back"]
    fn go_back(stack: *mut c_void) -> !;
}

/// Calls `function`; false if it was left by a retreat.
///
/// # Safety
/// The function must want that data.
unsafe fn attempt_call(function: Function, data: *mut c_void) -> bool {
    // SAFETY: passed on.
    unsafe { attempt_asm(function, data) }
}

/// The thread-local words.
#[repr(C)]
struct Place {
    stack: *mut c_void,
    mask: u64,
    has_mask: u64,
}

fn place() -> *mut Place {
    let p: *mut Place;
    // SAFETY: reads the thread pointer and a link-time constant.
    unsafe {
        core::arch::asm!(
            "mov {p}, qword ptr fs:0",
            "add {p}, qword ptr [rip + __racert_retreat@gottpoff]",
            p = out(reg) p,
            options(pure, readonly, nostack),
        );
    }
    p
}

/// What an attempt needs: the function, and room for its result.
struct Attempt<F, R> {
    function: Option<F>,
    result: Option<R>,
}

/// Cold: so the compiler makes little of what is the same elsewhere.
#[cold]
unsafe extern "C" fn run<F: FnOnce() -> R, R>(data: *mut c_void) {
    // SAFETY: `attempt` passes it.
    let attempt = unsafe { &mut *data.cast::<Attempt<F, R>>() };
    if let Some(function) = attempt.function.take() {
        attempt.result = Some(function());
    }
}

/// Runs `f`; `None` if [`retreat`] came back here. What `f` owned by then is
/// lost.
pub(crate) fn attempt<R>(f: impl FnOnce() -> R) -> Option<R> {
    attempt_by(attempt_call, f)
}

/// Runs `f` by `call`, which says whether it came to its end.
pub(super) fn attempt_by<R, F: FnOnce() -> R>(
    call: unsafe fn(Function, *mut c_void) -> bool,
    f: F,
) -> Option<R> {
    let mut attempt = ManuallyDrop::new(Attempt {
        function: Some(f),
        result: None,
    });
    // SAFETY: the function gets what it expects, and nothing of it is used
    // again after a retreat.
    let came_through = unsafe { call(run::<F, R>, (&raw mut attempt).cast()) };
    if came_through {
        attempt.result.take()
    } else {
        None
    }
}

/// Is there a place to go back to?
pub(crate) fn is_within() -> bool {
    // SAFETY: this thread's own words.
    unsafe { !(*place()).stack.is_null() }
}

/// Goes back to the innermost [`attempt`] that this thread has begun. Without
/// one there is no way out.
pub(crate) fn retreat() -> ! {
    // SAFETY: this thread's own words; an attempt that is not over has left its
    // stack pointer there.
    unsafe {
        let stack = (*place()).stack;
        if stack.is_null() {
            crate::os::abort();
        }
        go_back(stack)
    }
}

/// Signals are about to be blocked in an attempt; `before` was the mask. True
/// if that is to be undone by [`forget_mask`]: the first one counts.
pub(crate) fn note_mask(before: u64) -> bool {
    let place = place();
    // SAFETY: this thread's own words.
    unsafe {
        let counts = !(*place).stack.is_null() && (*place).has_mask == 0;
        if counts {
            (*place).mask = before;
            (*place).has_mask = 1;
        }
        counts
    }
}

/// The mask is as it was.
pub(crate) fn forget_mask() {
    // SAFETY: this thread's own words.
    unsafe { (*place()).has_mask = 0 };
}

/// Brings a mask back that was left noted.
pub(super) fn restore_mask() {
    let place = place();
    // SAFETY: this thread's own words.
    unsafe {
        if (*place).has_mask != 0 {
            (*place).has_mask = 0;
            crate::os::set_mask((*place).mask);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[inline(never)]
    fn deep(levels: u64, sum: u64) -> u64 {
        let here = std::hint::black_box([sum; 16]);
        if levels == 0 {
            retreat();
        }
        deep(levels - 1, sum + levels) + here[3]
    }

    #[test]
    fn a_result_comes_back() {
        assert!(!is_within());
        assert_eq!(
            attempt(|| (is_within(), String::from("x"))),
            Some((true, "x".into()))
        );
        assert!(!is_within());
    }

    #[test]
    fn frames_are_left_and_what_was_done_before_stays() {
        let kept = [1u64, 2, 3, 4, 5, 6, 7].map(std::hint::black_box);
        let mut done = 0;
        let result = attempt(|| {
            done = 1;
            deep(100, 0)
        });
        assert_eq!((result, done), (None, 1));
        assert_eq!(kept, [1, 2, 3, 4, 5, 6, 7]);
        assert!(!is_within());
    }

    #[test]
    fn attempts_nest() {
        let mut order = Vec::new();
        let outer = attempt(|| {
            let inner: Option<()> = attempt(|| retreat());
            order.push(inner.is_none());
            order.push(is_within());
            retreat();
            #[expect(unreachable_code, reason = "gives the closure its type")]
            ()
        });
        assert_eq!((outer, order), (None, vec![true, true]));
    }

    #[test]
    fn from_another_stack() {
        let mut reached = false;
        let result = attempt(|| {
            crate::os::on_fresh_stack(|| {
                reached = true;
                retreat();
            });
        });
        assert_eq!((result, reached), (None, true));
    }

    #[test]
    fn a_mask_that_was_noted_is_brought_back() {
        let before = crate::os::set_mask(0);
        let result: Option<()> = attempt(|| {
            let _blocked = crate::os::block_signals();
            let _again = crate::os::block_signals();
            retreat()
        });
        assert!(result.is_none());
        restore_mask();
        assert_eq!(crate::os::set_mask(before), 0);
        drop(crate::os::block_signals());
        assert!(attempt(|| drop(crate::os::block_signals())).is_some());
        // SAFETY: this thread's own words.
        assert_eq!(unsafe { (*place()).has_mask }, 0);
    }
}
