//! What the started processes say of themselves, without being asked.

use std::fs::{self, File};
use std::io;
use std::os::fd::{AsRawFd, FromRawFd};
use std::path::PathBuf;
use std::sync::atomic::Ordering;

use racert_abi::status::{MAGIC, Page, Process};

/// The page shared with them.
pub(super) struct Shared {
    file: File,
    page: *const Page,
}

/// All processes taken together.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sample {
    /// That run the runtime, now and ever.
    pub(super) processes: usize,
    pub(super) threads: u32,
    pub(super) findings: u64,
    /// How many of them the run does not prove.
    pub(super) possible: u64,
    /// Accesses and synchronisations written to the logs, as far as the kernel
    /// lets us look.
    pub(super) recorded: Option<u64>,
    /// Bytes in memory.
    pub(super) memory: u64,
}

impl Shared {
    /// A fresh page.
    pub(super) fn new() -> io::Result<Shared> {
        let flags = libc::MFD_CLOEXEC | libc::MFD_ALLOW_SEALING;
        // SAFETY: a name and flags.
        let fd = unsafe { libc::memfd_create(c"racert-status".as_ptr(), flags) };
        if fd < 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: a new descriptor that nobody else has.
        let file = unsafe { File::from_raw_fd(fd) };
        file.set_len(size_of::<Page>() as u64)?;
        // Nobody can take the ground from under the others' feet.
        // SAFETY: our own descriptor.
        unsafe {
            libc::fcntl(
                fd,
                libc::F_ADD_SEALS,
                libc::F_SEAL_SHRINK | libc::F_SEAL_GROW,
            )
        };
        // SAFETY: a new mapping of a file of that size.
        let page = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                size_of::<Page>(),
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_SHARED,
                fd,
                0,
            )
        };
        if page == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let page: *mut Page = page.cast();
        // SAFETY: ours alone until its path is told.
        unsafe { (*page).magic = MAGIC };
        Ok(Shared { file, page })
    }

    /// Where other processes find it.
    pub(super) fn path(&self) -> PathBuf {
        format!("/proc/{}/fd/{}", std::process::id(), self.file.as_raw_fd()).into()
    }

    /// How things stand.
    pub(super) fn sample(&self) -> Sample {
        // SAFETY: mapped as long as this lives; all of it is atomic but for
        // the first word, which stays.
        let page = unsafe { &*self.page };
        let mut sample = Sample {
            recorded: Some(0),
            ..Sample::default()
        };
        for process in &page.processes {
            let pid = process.pid.load(Ordering::Acquire);
            if pid != 0 {
                sample.add(process, pid);
            }
        }
        sample
    }
}

impl Sample {
    fn add(&mut self, process: &Process, pid: u32) {
        self.processes += 1;
        self.findings += process.findings.load(Ordering::Relaxed);
        self.possible += u64::from(process.possible.load(Ordering::Relaxed));
        let past = process.recorded.load(Ordering::Relaxed);
        let mut recorded = self.recorded.map(|all| all + past);
        if process.ended.load(Ordering::Acquire) == 0
            && let Some(memory) = resident(pid)
        {
            self.memory += memory;
            self.threads += process.threads.load(Ordering::Relaxed);
            recorded = recorded.zip(live(process, pid)).map(|(all, now)| all + now);
        }
        self.recorded = recorded;
    }
}

/// What the live threads of a process have recorded.
fn live(process: &Process, pid: u32) -> Option<u64> {
    let mut sum = 0;
    for counter in &process.counters {
        let address = counter.address.load(Ordering::Acquire);
        if address == 0 {
            continue;
        }
        let start = counter.start.load(Ordering::Acquire);
        sum += word(pid, address)?.saturating_sub(start);
    }
    Some(sum)
}

/// A word of another process; `None` if the kernel does not let us.
fn word(pid: u32, address: u64) -> Option<u64> {
    let mut word = 0u64;
    let here = libc::iovec {
        iov_base: (&raw mut word).cast(),
        iov_len: 8,
    };
    let there = libc::iovec {
        iov_base: address as *mut libc::c_void,
        iov_len: 8,
    };
    // SAFETY: writes 8 bytes to `word`; the kernel checks the other side.
    let read = unsafe { libc::process_vm_readv(pid as i32, &here, 1, &there, 1, 0) };
    (read == 8).then_some(word)
}

/// Bytes of a process in memory; `None` if it is gone.
fn resident(pid: u32) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{pid}/statm")).ok()?;
    let pages: u64 = text.split_whitespace().nth(1)?.parse().ok()?;
    (pages > 0).then_some(pages * 4096)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processes_add_up() {
        let shared = Shared::new().unwrap();
        assert_eq!(shared.sample().processes, 0);
        // SAFETY: mapped.
        let page = unsafe { &*shared.page };
        let me = page.claim(std::process::id()).unwrap();
        me.findings.store(3, Ordering::Relaxed);
        me.possible.store(1, Ordering::Relaxed);
        me.threads.store(2, Ordering::Relaxed);
        me.recorded.store(10, Ordering::Relaxed);
        let count = 105u64;
        me.counters[5].start.store(100, Ordering::Relaxed);
        me.counters[5]
            .address
            .store(&raw const count as u64, Ordering::Relaxed);
        let sample = shared.sample();
        assert_eq!(
            (sample.findings, sample.possible, sample.threads),
            (3, 1, 2)
        );
        assert_eq!(sample.recorded, Some(15));
        assert!(sample.memory > 0);
        // Another program in the same process.
        page.claim(std::process::id()).unwrap();
        let sample = shared.sample();
        assert_eq!(
            (sample.processes, sample.findings, sample.threads),
            (2, 3, 0)
        );
    }
}
