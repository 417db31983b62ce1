//! Files: read-only mappings for debug information, append-only writing for
//! reports.

use super::call::{Errno, syscall};
use super::memory::unmap;
use super::signal::writes_raise_nothing;
use alloc::vec::Vec;

/// The descriptor reports go to unless told otherwise.
pub const STDERR: i32 = 2;

/// An open descriptor, closed when dropped.
pub struct File(i32);

impl File {
    /// Opens `path` for reading.
    pub fn open(path: &[u8]) -> Result<File, Errno> {
        open(path, libc::O_RDONLY | libc::O_CLOEXEC, 0).map(File)
    }

    /// As [`Self::open`], without waiting for the other end of a pipe.
    pub(super) fn open_without_waiting(path: &[u8]) -> Result<File, Errno> {
        let flags = libc::O_RDONLY | libc::O_CLOEXEC | libc::O_NONBLOCK | libc::O_NOCTTY;
        open(path, flags, 0).map(File)
    }

    /// Opens `path` for appending, creating it if it is not there.
    pub fn append(path: &[u8]) -> Result<File, Errno> {
        let flags = libc::O_WRONLY | libc::O_CREAT | libc::O_APPEND | libc::O_CLOEXEC;
        open(path, flags, 0o644).map(File)
    }

    /// As [`Self::append`], only if it is there.
    pub fn append_to(path: &[u8]) -> Result<File, Errno> {
        let flags = libc::O_WRONLY | libc::O_APPEND | libc::O_CLOEXEC | libc::O_NOCTTY;
        open(path, flags, 0).map(File)
    }

    /// Opens a file that is there for writing at chosen places.
    pub fn open_for_writing(path: &[u8]) -> Result<File, Errno> {
        open(path, libc::O_WRONLY | libc::O_CLOEXEC, 0).map(File)
    }

    /// Takes over a descriptor.
    pub(super) fn from_fd(fd: i32) -> File {
        File(fd)
    }

    /// The descriptor.
    pub fn fd(&self) -> i32 {
        self.0
    }

    /// Reads to the end: for files without a size, such as those in `/proc`.
    pub fn read_to_end(&self) -> Result<Vec<u8>, Errno> {
        let mut out = Vec::new();
        let mut buf = [0u8; 4096];
        loop {
            let args = [
                self.0 as usize,
                buf.as_mut_ptr() as usize,
                buf.len(),
                0,
                0,
                0,
            ];
            // SAFETY: the kernel writes at most `buf.len()` bytes.
            match unsafe { syscall(libc::SYS_read, args) } {
                Ok(0) => return Ok(out),
                Ok(n) => out.extend_from_slice(&buf[..n]),
                Err(Errno(libc::EINTR)) => {}
                Err(e) => return Err(e),
            }
        }
    }

    /// Reads at `offset`; gives the number of bytes read.
    pub fn read_at(&self, offset: u64, into: &mut [u8]) -> Result<usize, Errno> {
        let args = [
            self.0 as usize,
            into.as_mut_ptr() as usize,
            into.len(),
            offset as usize,
            0,
            0,
        ];
        // SAFETY: the kernel writes at most `into.len()` bytes.
        unsafe { syscall(libc::SYS_pread64, args) }
    }

    /// Writes at `offset`; gives the number of bytes written.
    pub fn write_at(&self, offset: u64, from: &[u8]) -> Result<usize, Errno> {
        let args = [
            self.0 as usize,
            from.as_ptr() as usize,
            from.len(),
            offset as usize,
            0,
            0,
        ];
        // SAFETY: the kernel only reads `from`.
        unsafe { syscall(libc::SYS_pwrite64, args) }
    }

    /// Size in bytes.
    fn len(&self) -> Result<usize, Errno> {
        let args = [self.0 as usize, 0, libc::SEEK_END as usize, 0, 0, 0];
        // SAFETY: moves the offset of a descriptor nobody else has.
        unsafe { syscall(libc::SYS_lseek, args) }
    }
}

impl Drop for File {
    fn drop(&mut self) {
        // SAFETY: the descriptor is ours.
        let _ = unsafe { syscall(libc::SYS_close, [self.0 as usize, 0, 0, 0, 0, 0]) };
    }
}

fn open(path: &[u8], flags: i32, mode: u32) -> Result<i32, Errno> {
    let mut name = Vec::with_capacity(path.len() + 1);
    name.extend_from_slice(path);
    name.push(0);
    let at = libc::AT_FDCWD as isize as usize;
    let args = [
        at,
        name.as_ptr() as usize,
        flags as usize,
        mode as usize,
        0,
        0,
    ];
    // SAFETY: the name ends in a zero byte.
    unsafe { syscall(libc::SYS_openat, args) }.map(|fd| fd as i32)
}

/// A file mapped for reading. Pages come in as they are looked at, so a large
/// file costs only what is used of it.
pub struct MappedFile {
    addr: *mut u8,
    len: usize,
}

// SAFETY: the mapping is private and read-only.
unsafe impl Send for MappedFile {}
// SAFETY: as above.
unsafe impl Sync for MappedFile {}

impl MappedFile {
    /// Maps the whole of `path`.
    pub fn open(path: &[u8]) -> Result<MappedFile, Errno> {
        let file = File::open(path)?;
        let len = file.len()?;
        if len == 0 {
            return Err(Errno(libc::ENODATA));
        }
        let args = [
            0,
            len,
            libc::PROT_READ as usize,
            libc::MAP_PRIVATE as usize,
            file.fd() as usize,
            0,
        ];
        // SAFETY: a new mapping that replaces nothing.
        let addr = unsafe { syscall(libc::SYS_mmap, args) }?;
        Ok(MappedFile {
            addr: addr as *mut u8,
            len,
        })
    }

    /// The file's bytes.
    pub fn bytes(&self) -> &[u8] {
        // SAFETY: mapped for as long as `self` lives.
        unsafe { core::slice::from_raw_parts(self.addr, self.len) }
    }
}

impl Drop for MappedFile {
    fn drop(&mut self) {
        unmap(self.addr, self.len);
    }
}

/// Maps the first `len` bytes of `path`, shared with everybody else who does.
/// `None` if there are not so many.
pub fn map_shared(path: &[u8], len: usize) -> Option<*mut u8> {
    let fd = open(path, libc::O_RDWR | libc::O_CLOEXEC, 0).ok()?;
    let file = File(fd);
    if file.len().ok()? < len {
        return None;
    }
    let access = libc::PROT_READ | libc::PROT_WRITE;
    let args = [
        0,
        len,
        access as usize,
        libc::MAP_SHARED as usize,
        file.fd() as usize,
        0,
    ];
    // SAFETY: a new mapping that replaces nothing.
    let start = unsafe { syscall(libc::SYS_mmap, args) }.ok()?;
    Some(start as *mut u8)
}

/// Writes all of `bytes` to `fd`, in as few calls as the kernel allows. Errors
/// end the attempt: a closed descriptor is the program's choice.
pub fn write_all(fd: i32, mut bytes: &[u8]) {
    let _quiet = writes_raise_nothing();
    while !bytes.is_empty() {
        let args = [fd as usize, bytes.as_ptr() as usize, bytes.len(), 0, 0, 0];
        // SAFETY: the slice is readable.
        match unsafe { syscall(libc::SYS_write, args) } {
            Ok(n) => bytes = &bytes[n..],
            Err(Errno(libc::EINTR)) => {}
            Err(Errno(libc::EAGAIN)) => super::process::sched_yield(),
            Err(_) => return,
        }
    }
}
