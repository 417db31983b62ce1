//! Looking at the process from outside: its memory, rights and descriptors.

use super::call::syscall;
use alloc::vec::Vec;
use core::ops::Range;

/// Copies memory of this process that may vanish while it is read, such as the
/// image of a library. Gives the number of bytes that could be read.
pub fn read_memory(address: u64, into: &mut [u8]) -> usize {
    let local = [into.as_mut_ptr() as usize, into.len()];
    let remote = [address as usize, into.len()];
    // By the thread's id: once the main thread has ended, the process's id
    // stands for one without memory.
    let args = [
        super::gettid() as usize,
        &raw const local as usize,
        1,
        &raw const remote as usize,
        1,
        0,
    ];
    // SAFETY: writes at most `into.len()` bytes to `into`; the kernel checks
    // the source.
    if let Ok(n) = unsafe { syscall(libc::SYS_process_vm_readv, args) } {
        return n;
    }
    // Sandboxes often forbid that call but not this file.
    match super::File::open(b"/proc/thread-self/mem") {
        Ok(file) => file.read_at(address, into).unwrap_or(0),
        Err(_) => 0,
    }
}

/// The parts of the address space that other processes may have, too; empty if
/// the kernel does not tell.
pub fn shared_memory() -> Vec<Range<u64>> {
    let list = super::File::open(b"/proc/thread-self/maps").and_then(|file| file.read_to_end());
    let text = list.unwrap_or_default();
    let lines = text.split(|byte| *byte == b'\n');
    lines.filter_map(shared_range).collect()
}

/// The part of it that begins at `start`.
pub fn shared_range_at(start: usize) -> Option<Range<usize>> {
    let range = shared_memory()
        .into_iter()
        .find(|range| range.start == start as u64)?;
    Some(start..range.end as usize)
}

/// `start-end rw-s ...`
fn shared_range(line: &[u8]) -> Option<Range<u64>> {
    let mut words = core::str::from_utf8(line).ok()?.split(' ');
    let (start, end) = words.next()?.split_once('-')?;
    let is_shared = words.next()?.ends_with('s');
    let number = |text| u64::from_str_radix(text, 16).ok();
    is_shared.then_some(number(start)?..number(end)?)
}

/// Does the program run with more rights than the user who started it?
pub fn is_set_uid() -> bool {
    // SAFETY: reads a table that libc keeps from the start of the process.
    unsafe { libc::getauxval(libc::AT_SECURE) != 0 }
}

/// Is `fd` a terminal?
pub fn is_terminal(fd: i32) -> bool {
    let mut settings = [0u8; 64];
    let args = [
        fd as usize,
        libc::TCGETS as usize,
        settings.as_mut_ptr() as usize,
        0,
        0,
        0,
    ];
    // SAFETY: the kernel's termios is 36 bytes long.
    unsafe { syscall(libc::SYS_ioctl, args) }.is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_that_is_shared() {
        let line = b"7f00-8f00 rw-s 00000000 00:01 1 /dev/zero";
        assert_eq!(shared_range(line), Some(0x7f00..0x8f00));
        assert_eq!(shared_range(b"7f00-8f00 rw-p 00000000 00:00 0"), None);
        assert_eq!(shared_range(b""), None);
    }

    #[test]
    fn memory_that_is_there_and_memory_that_is_not() {
        let source = *b"some bytes";
        let mut copy = [0; 10];
        assert_eq!(read_memory(source.as_ptr() as u64, &mut copy), 10);
        assert_eq!(copy, source);
        assert_eq!(read_memory(8, &mut copy), 0);
    }

    #[test]
    fn a_file_is_no_terminal() {
        let file = crate::os::File::open(b"/proc/self/maps").unwrap();
        assert!(!is_terminal(file.fd()));
        assert!(!is_terminal(-1));
    }
}
