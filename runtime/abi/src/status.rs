//! What `racert run` learns from the processes it started: a page that they
//! share with it.
//!
//! The page is a memory file of `racert run`; [`VARIABLE`] names it. Every
//! process that runs the runtime takes one [`Process`] of it. Nothing is
//! written where a program spends its time: how much was recorded is read from
//! the threads' own counters, whose addresses are in the page.

use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// The environment variable with the page's path; what is no page, such as
/// `-`, only says that `racert run` started the program.
pub const VARIABLE: &str = "RACERT_STATUS";
/// First word of a page of this layout.
pub const MAGIC: u64 = u64::from_le_bytes(*b"racert01");
/// Processes that fit.
pub const PROCESSES: usize = 256;
/// Threads of a process whose counters fit.
pub const COUNTERS: usize = 62;

/// The page.
#[repr(C)]
pub struct Page {
    /// [`MAGIC`]
    pub magic: u64,
    /// The processes; those not used yet have no id.
    pub processes: [Process; PROCESSES],
}

/// A process.
#[repr(C)]
pub struct Process {
    /// Its id; 0: not used yet.
    pub pid: AtomicU32,
    /// It has ended, or become another program.
    pub ended: AtomicU32,
    /// Live threads.
    pub threads: AtomicU32,
    /// How many of the findings this run does not prove.
    pub possible: AtomicU32,
    /// Findings reported.
    pub findings: AtomicU64,
    /// What ended threads recorded.
    pub recorded: AtomicU64,
    /// The counters of live threads.
    pub counters: [Counter; COUNTERS],
}

/// Where in the process a thread counts what it records.
#[repr(C)]
pub struct Counter {
    /// Address of the number; 0: none.
    pub address: AtomicU64,
    /// What it was when the thread began.
    pub start: AtomicU64,
}

const _: () = assert!(size_of::<Process>() == 1024);

impl Page {
    /// A place for process `pid`; `None` if all are taken. What the same
    /// process was before has ended.
    pub fn claim(&self, pid: u32) -> Option<&Process> {
        for process in &self.processes {
            if process.pid.load(Ordering::Acquire) == pid {
                process.ended.store(1, Ordering::Release);
                process.threads.store(0, Ordering::Relaxed);
            }
        }
        self.processes.iter().find(|process| {
            let taken = process
                .pid
                .compare_exchange(0, pid, Ordering::AcqRel, Ordering::Relaxed);
            taken.is_ok()
        })
    }
}
