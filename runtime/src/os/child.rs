//! Running another program.

use super::call::{Errno, syscall};
use super::file::File;
use super::memory::{map, unmap};
use super::process::exit_group;
use super::signal::block_signals;
use alloc::vec::Vec;
use core::ffi::{CStr, c_char};

/// What the program `command[0]` with the rest as its arguments writes to its
/// standard output; `None` if it fails. It gets this process's environment but
/// for what would put the runtime into it.
///
/// The child is not the program's: its end sends no signal, and waiting for
/// any child does not find it.
pub fn output_of(command: &[&CStr]) -> Option<Vec<u8>> {
    let mut ends = [0i32; 2];
    let flags = libc::O_CLOEXEC as usize;
    // SAFETY: the kernel fills the two numbers.
    unsafe { syscall(libc::SYS_pipe2, [&raw mut ends as usize, flags, 0, 0, 0, 0]) }.ok()?;
    let [from, to] = ends.map(File::from_fd);
    let mut arguments: Vec<_> = command.iter().map(|text| text.as_ptr()).collect();
    arguments.push(core::ptr::null());
    let environment = environment_without_runtime();
    let start = Start {
        arguments: arguments.as_ptr(),
        environment: environment.as_ptr(),
        output: to.fd(),
    };
    let stack = map(CHILD_STACK).ok()?;
    let signals = block_signals();
    // SAFETY: the child runs on a stack of its own, in this process's memory,
    // and this thread waits until it is another program or gone.
    let child = unsafe { spawn(stack.add(CHILD_STACK), &start) };
    drop(signals);
    unmap(stack, CHILD_STACK);
    drop(to);
    let output = from.read_to_end();
    let status = wait_for(child?);
    output.ok().filter(|_| status == Some(0))
}

const CHILD_STACK: usize = 64 << 10;

unsafe extern "C" {
    static environ: *const *const c_char;
}

fn environment_without_runtime() -> Vec<*const c_char> {
    let mut kept = Vec::new();
    // SAFETY: a null-terminated array of C strings, as libc keeps it.
    unsafe {
        let mut entry = (&raw const environ).read_volatile();
        while !entry.is_null() && !(*entry).is_null() {
            let text = CStr::from_ptr(*entry).to_bytes();
            if !text.starts_with(b"LD_PRELOAD=") {
                kept.push(*entry);
            }
            entry = entry.add(1);
        }
    }
    kept.push(core::ptr::null());
    kept
}

#[repr(C)]
struct Start {
    arguments: *const *const c_char,
    environment: *const *const c_char,
    output: i32,
}

/// Becomes the program, or ends.
unsafe extern "C" fn become_program(start: *const Start) -> ! {
    // SAFETY: the parent keeps everything until this process is another one.
    unsafe {
        let start = &*start;
        let to = [start.output as usize, 1, 0, 0, 0, 0];
        let _ = syscall(libc::SYS_dup2, to);
        let none = 0u64;
        let mask = libc::SIG_SETMASK as usize;
        let _ = syscall(
            libc::SYS_rt_sigprocmask,
            [mask, &raw const none as usize, 0, 8, 0, 0],
        );
        let program = *start.arguments as usize;
        let (arguments, environment) = (start.arguments as usize, start.environment as usize);
        let _ = syscall(libc::SYS_execve, [program, arguments, environment, 0, 0, 0]);
    }
    exit_group(127)
}

/// Starts a child that runs [`become_program`] on the stack that ends at `top`.
unsafe fn spawn(top: *mut u8, start: &Start) -> Option<usize> {
    let flags = libc::CLONE_VM | libc::CLONE_VFORK;
    let result: isize;
    // SAFETY: the child leaves the assembly for good on its own stack.
    unsafe {
        core::arch::asm!(
            "syscall",
            "test rax, rax",
            "jnz 2f",
            "xor ebp, ebp",
            "mov rdi, r12",
            "call r13",
            "ud2",
            "2:",
            inlateout("rax") libc::SYS_clone as isize => result,
            in("rdi") flags as usize,
            in("rsi") top,
            in("rdx") 0,
            in("r10") 0,
            in("r8") 0,
            in("r12") start,
            in("r13") become_program as *const (),
            lateout("rcx") _,
            lateout("r11") _,
        );
    }
    usize::try_from(result).ok()
}

/// The exit code of a child that sends no signal.
fn wait_for(child: usize) -> Option<i32> {
    const ANY_KIND: usize = 0x4000_0000;
    let mut status = 0i32;
    loop {
        let args = [child, &raw mut status as usize, ANY_KIND, 0, 0, 0];
        // SAFETY: the kernel fills the status.
        match unsafe { syscall(libc::SYS_wait4, args) } {
            Err(Errno(libc::EINTR)) => {}
            Err(_) => return None,
            Ok(_) => return (status & 0x7f == 0).then_some(status >> 8 & 0xff),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::output_of;

    #[test]
    fn what_a_program_writes() {
        let shell = |script| output_of(&[c"/bin/sh", c"-c", script]);
        assert_eq!(shell(c"echo one; echo two"), Some(b"one\ntwo\n".to_vec()));
        assert_eq!(shell(c"echo one; exit 3"), None);
        assert_eq!(output_of(&[c"/no/such/program"]), None);
    }
}
