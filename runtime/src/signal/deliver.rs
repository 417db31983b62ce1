//! From the kernel to the program's handler.

use super::{handler, misuse, received};
use crate::os;
use crate::thread;
use crate::tls::{self, Frame};
use core::ffi::{c_int, c_void};
use libc::{siginfo_t, ucontext_t};

/// Set in the thread-local `inside` while signals wait for the thread to leave
/// the runtime.
pub(crate) const WAITING: u32 = 1 << 31;

type Function = unsafe extern "C" fn(c_int, *mut siginfo_t, *mut c_void);

/// What the kernel calls.
pub(crate) unsafe extern "C" fn on_signal(
    signal: c_int,
    info: *mut siginfo_t,
    context: *mut c_void,
) {
    let block = tls::block();
    // SAFETY: this thread's own block; the kernel's description.
    let (inside, fault) = unsafe { ((*block).inside, is_fault(signal, &*info)) };
    if inside & !WAITING == 1 && !fault {
        // SAFETY: as the kernel passed them.
        unsafe { put_off(signal, info, context.cast()) };
        return;
    }
    // SAFETY: as the kernel passed them.
    unsafe { run(signal, info, context, fault) };
}

/// Did the thread itself bring it about by what it was doing?
fn is_fault(signal: c_int, info: &siginfo_t) -> bool {
    let by_instruction = matches!(
        signal,
        libc::SIGSEGV | libc::SIGBUS | libc::SIGILL | libc::SIGFPE | libc::SIGTRAP | libc::SIGSYS
    );
    by_instruction && info.si_code > 0
}

/// Has the signal come again when the thread leaves the runtime.
///
/// # Safety
/// The arguments must be the kernel's.
pub(crate) unsafe fn put_off(signal: c_int, info: *mut siginfo_t, context: *mut ucontext_t) {
    let block = tls::block();
    let bit = 1u64 << (signal - 1);
    // SAFETY: this thread's own block. The kernel's signal set is the first
    // word of libc's; it takes effect when this handler returns.
    unsafe {
        os::put_off(signal, info.cast());
        *(&raw mut (*context).uc_sigmask).cast::<u64>() |= bit;
        (*block).put_off |= bit;
        (*block).inside |= WAITING;
    }
}

/// The thread has left the runtime and signals wait for it.
#[cold]
#[inline(never)]
pub(crate) fn left() {
    let block = tls::block();
    // SAFETY: this thread's own block. A signal that comes in between finds the
    // thread outside and is handled; what it puts off itself, it lets through.
    unsafe {
        (*block).inside = 0;
        let waiting = core::mem::take(&mut (*block).put_off);
        os::let_through(waiting);
    }
}

/// Calls the program's handler.
///
/// # Safety
/// The arguments must be the kernel's.
unsafe fn run(signal: c_int, info: *mut siginfo_t, context: *mut c_void, fault: bool) {
    let handler = handler(signal);
    if handler.function == libc::SIG_DFL || handler.function == libc::SIG_IGN {
        return;
    }
    if handler.flags & libc::SA_RESETHAND != 0 {
        crate::intercept::reset_signal(signal);
    }
    // SAFETY: the program installed it for this.
    let function: Function = unsafe { core::mem::transmute(handler.function) };
    // SAFETY: the kernel's context.
    let interrupted = unsafe { interrupted_at(context.cast()) };
    let (raised, ignoring) = begin(signal, info, fault);
    let saved = Interrupted::new(interrupted);
    // SAFETY: this thread's errno; the call is the kernel's.
    unsafe {
        let errno = libc::__errno_location();
        let before = *errno;
        *errno = misuse::UNTOUCHED;
        call_handler(function, signal, info, context);
        if *errno == misuse::UNTOUCHED {
            *errno = before;
        } else if !raised && signal != libc::SIGTERM {
            misuse::errno_changed(signal, handler.function);
        }
    }
    saved.restore();
    end(raised, ignoring);
}

/// The instruction that the signal came before.
///
/// # Safety
/// `context` must be the kernel's.
unsafe fn interrupted_at(context: *const ucontext_t) -> u64 {
    // SAFETY: passed on.
    unsafe { (*context).uc_mcontext.gregs[libc::REG_RIP as usize] as u64 }
}

/// A handler begins: it comes after who sent the signal. Was it the thread
/// itself, or a fault of its own? Then it did not interrupt anything. Checks
/// that the interrupted code has switched off are on for the handler; which
/// they were is the second answer.
fn begin(signal: c_int, info: *const siginfo_t, fault: bool) -> (bool, [u32; 3]) {
    let begun = tls::section(|| begin_inside(signal, info, fault));
    begun.unwrap_or((true, [0; 3]))
}

fn begin_inside(signal: c_int, info: *const siginfo_t, fault: bool) -> (bool, [u32; 3]) {
    let ignoring = thread::current().map_or([0; 3], |me| me.replace_ignoring([0; 3]));
    received(signal);
    // SAFETY: the kernel's description.
    if unsafe { (*info).si_code } == libc::SI_TIMER {
        crate::sync::channel::receive(super::any());
    }
    let Some(me) = thread::current() else {
        return (true, ignoring);
    };
    let expected = fault || me.raising == signal;
    if !expected {
        me.handlers += 1;
    }
    (expected, ignoring)
}

/// A handler has returned.
fn end(expected: bool, ignoring: [u32; 3]) {
    tls::section(|| {
        let Some(me) = thread::current() else { return };
        if !expected {
            me.handlers = me.handlers.saturating_sub(1);
        }
        if ignoring != [0; 3] {
            me.replace_ignoring(ignoring);
        }
    });
}

// Calls a handler from a known address, which stacks leave out.
#[cfg(not(test))]
core::arch::global_asm!(
    ".pushsection .text.__racert_call_handler,\"ax\",@progbits",
    ".p2align 4",
    ".globl __racert_call_handler",
    ".hidden __racert_call_handler",
    ".type __racert_call_handler, @function",
    ".globl __racert_handler_returned",
    ".hidden __racert_handler_returned",
    "__racert_call_handler:",
    ".cfi_startproc",
    "sub rsp, 8",
    ".cfi_adjust_cfa_offset 8",
    "mov rax, rdi",
    "mov edi, esi",
    "mov rsi, rdx",
    "mov rdx, rcx",
    "call rax",
    "__racert_handler_returned:",
    "add rsp, 8",
    ".cfi_adjust_cfa_offset -8",
    "ret",
    ".cfi_endproc",
    ".size __racert_call_handler, . - __racert_call_handler",
    ".popsection",
);

#[cfg(not(test))]
unsafe extern "C" {
    #[link_name = "__racert_call_handler"]
    fn call_handler(function: Function, signal: c_int, info: *mut siginfo_t, context: *mut c_void);
    #[link_name = "__racert_handler_returned"]
    static HANDLER_RETURNED: u8;
}

#[cfg(test)]
unsafe fn call_handler(
    function: Function,
    signal: c_int,
    info: *mut siginfo_t,
    context: *mut c_void,
) {
    // SAFETY: passed on.
    unsafe { function(signal, info, context) }
}

/// Where handlers return to.
pub(crate) fn return_address() -> u64 {
    #[cfg(not(test))]
    {
        (&raw const HANDLER_RETURNED).addr() as u64
    }
    #[cfg(test)]
    {
        u64::MAX
    }
}

/// What a handler may find half done and must leave as it is: the frame that an
/// instrumented function was about to push, and the caller that a stub had
/// noted.
struct Interrupted {
    frames: *mut Frame,
    frame: Frame,
    caller: usize,
}

impl Interrupted {
    /// Notes it, and pushes a frame for the call from `at`.
    fn new(at: u64) -> Interrupted {
        let block = tls::block();
        // SAFETY: this thread's own block and shadow call stack, which has
        // room above its top.
        unsafe {
            let (frames, caller) = ((*block).frames, (*block).caller);
            let mut frame = Frame {
                return_address: 0,
                context: 0,
            };
            if !frames.is_null() {
                frame = *frames;
                // One behind the instruction, as return addresses are.
                *frames = Frame {
                    return_address: at + 1,
                    context: 0,
                };
                (*block).frames = frames.add(1);
            }
            Interrupted {
                frames,
                frame,
                caller,
            }
        }
    }

    /// Puts it back.
    fn restore(self) {
        let block = tls::block();
        // SAFETY: as above. A thread that got its shadow call stack in the
        // handler keeps it.
        unsafe {
            (*block).caller = self.caller;
            if !self.frames.is_null() {
                *self.frames = self.frame;
                (*block).frames = self.frames;
            }
        }
    }
}
