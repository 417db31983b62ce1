//! The process and its threads.

use super::call::syscall;

/// This process's id, asked anew each time: it changes in a forked child.
pub fn getpid() -> u32 {
    // SAFETY: takes no arguments, cannot fail.
    unsafe { syscall(libc::SYS_getpid, [0; 6]) }.unwrap_or(0) as u32
}

/// The kernel's id of the calling thread.
pub fn gettid() -> u32 {
    // SAFETY: takes no arguments, cannot fail.
    unsafe { syscall(libc::SYS_gettid, [0; 6]) }.unwrap_or(0) as u32
}

/// Lets another thread run.
pub fn sched_yield() {
    // SAFETY: takes no arguments.
    let _ = unsafe { syscall(libc::SYS_sched_yield, [0; 6]) };
}

/// The number of the processor that the thread is on.
pub fn processor() -> u32 {
    let mut number = 0u32;
    let args = [&raw mut number as usize, 0, 0, 0, 0, 0];
    // SAFETY: the kernel writes the number.
    let _ = unsafe { syscall(libc::SYS_getcpu, args) };
    number
}

/// Ends the process at once, without exit handlers.
pub fn exit_group(code: i32) -> ! {
    loop {
        // SAFETY: does not return.
        let _ = unsafe { syscall(libc::SYS_exit_group, [code as usize, 0, 0, 0, 0, 0]) };
    }
}

/// Ends the process by SIGABRT, whatever handlers the program installed.
pub fn abort() -> ! {
    let signal = libc::SIGABRT as usize;
    // SAFETY: resets one signal to its default action and sends it to this
    // thread; the zeroed sigaction is SIG_DFL with an empty mask.
    unsafe {
        let default = [0u64; 4];
        let _ = syscall(
            libc::SYS_rt_sigaction,
            [signal, default.as_ptr() as usize, 0, 8, 0, 0],
        );
        let none = 0u64;
        let _ = syscall(
            libc::SYS_rt_sigprocmask,
            [
                libc::SIG_SETMASK as usize,
                &raw const none as usize,
                0,
                8,
                0,
                0,
            ],
        );
        let _ = syscall(
            libc::SYS_tgkill,
            [getpid() as usize, gettid() as usize, signal, 0, 0, 0],
        );
    }
    exit_group(134)
}

/// Sleeps for that many milliseconds, or less if a signal arrives.
pub fn sleep_ms(time: u64) {
    sleep_us(time * 1000);
}

/// Sleeps for that many microseconds, or less if a signal arrives.
pub fn sleep_us(time: u64) {
    let time = [time / 1_000_000, time % 1_000_000 * 1000];
    let args = [&raw const time as usize, 0, 0, 0, 0, 0];
    // SAFETY: the kernel reads the two words of a timespec.
    let _ = unsafe { syscall(libc::SYS_nanosleep, args) };
}

/// Nanoseconds on the monotonic clock.
pub fn monotonic_ns() -> u64 {
    clock_ns(libc::CLOCK_MONOTONIC)
}

/// Nanoseconds since 1970.
pub fn realtime_ns() -> u64 {
    clock_ns(libc::CLOCK_REALTIME)
}

fn clock_ns(clock: i32) -> u64 {
    let mut ts = [0u64; 2];
    let args = [clock as usize, &raw mut ts as usize, 0, 0, 0, 0];
    // SAFETY: the kernel fills the two words of a timespec.
    let _ = unsafe { syscall(libc::SYS_clock_gettime, args) };
    ts[0] * 1_000_000_000 + ts[1]
}

const MEMBARRIER_EXPEDITED: usize = 1 << 3;
const MEMBARRIER_REGISTER: usize = 1 << 4;

/// Makes every running thread of the process pass a full memory barrier.
/// `false` if the kernel cannot.
pub fn memory_barrier_everywhere() -> bool {
    let barrier = |command| {
        // SAFETY: only orders memory accesses.
        unsafe { syscall(libc::SYS_membarrier, [command, 0, 0, 0, 0, 0]) }.is_ok()
    };
    barrier(MEMBARRIER_EXPEDITED) || (barrier(MEMBARRIER_REGISTER) && barrier(MEMBARRIER_EXPEDITED))
}
