//! What a detector found, before anybody put names to addresses.

use crate::lock::finding::LockInfo;
use alloc::string::String;
use alloc::vec::Vec;

/// What kind of thing was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Two unordered conflicting accesses.
    DataRace,
    /// Two conflicting accesses that only the order of lock operations put one
    /// before the other.
    PossibleRace,
    /// An access that breaks the discipline of the engines that go by states:
    /// no lock protects all of them.
    Unprotected,
    /// An access unordered with the release of the memory it touches.
    UseAfterFreeRace,
    /// An access after the release of the memory it touches.
    UseAfterFree,
    /// A virtual call unordered with the construction or destruction of its
    /// object.
    VptrRace,
    /// A loop waits for another thread by reading a variable that is not atomic.
    AdHocSync,
    /// Such a loop reads with relaxed order, and data depends on it.
    RelaxedSync,
    /// A descriptor is used by one thread while another opens or closes it.
    DescriptorRace,
}

/// How memory was touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// A plain read.
    Read,
    /// A plain write.
    Write,
    /// An atomic read.
    AtomicRead,
    /// An atomic write or read-modify-write.
    AtomicWrite,
    /// The memory was given back to the heap.
    Free,
    /// The heap handed the memory out.
    Allocate,
    /// A file descriptor was passed to a function that uses it.
    UseDescriptor,
    /// A file descriptor was opened or closed.
    ChangeDescriptor,
}

/// A call stack: code addresses, innermost first. The first is the access's or
/// call's own address, the others are return addresses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stack {
    /// The addresses.
    pub addresses: Vec<u64>,
    /// The callers are no longer known; only the first address is.
    pub callers_lost: bool,
}

/// One side of a race.
#[derive(Clone, Debug)]
pub struct Access {
    /// What it did.
    pub operation: Operation,
    /// First byte touched.
    pub address: u64,
    /// Bytes touched.
    pub size: u64,
    /// Number of the thread (see [`Finding::threads`]).
    pub thread: u32,
    /// Where.
    pub stack: Stack,
    /// The locks its thread held; `None` if that is not known any more.
    pub locks: Option<Vec<HeldLock>>,
    /// What its thread did with a lock last before it, if that is known.
    pub last_lock: Option<LastLock>,
}

/// A lock was taken or given back.
#[derive(Clone, Debug)]
pub struct LastLock {
    /// Index into [`Finding::locks`].
    pub lock: usize,
    /// Given back, not taken.
    pub released: bool,
    /// Where.
    pub stack: Stack,
}

/// A lock held during an access.
#[derive(Clone, Debug)]
pub struct HeldLock {
    /// Index into [`Finding::locks`].
    pub lock: usize,
    /// For writing, not just reading.
    pub write: bool,
    /// Where it was taken.
    pub taken: Stack,
}

/// One thread took a lock that another had given back: the chance to which a
/// possible race owes its order.
#[derive(Clone, Debug)]
pub struct Handover {
    /// Index into [`Finding::locks`].
    pub lock: usize,
    /// Who gave it back.
    pub from: u32,
    /// Who took it.
    pub to: u32,
    /// Where it did.
    pub taken: Stack,
}

/// A thread that takes part in a finding.
#[derive(Clone, Debug)]
pub struct ThreadInfo {
    /// racert's number: 0 is the main thread, others count up from 1.
    pub number: u32,
    /// The kernel's id.
    pub os_id: u32,
    /// Name given by the program, if any.
    pub name: Option<String>,
    /// Still running?
    pub running: bool,
    /// Who created it, and where; `None` for the main thread and for threads
    /// whose creation was not seen.
    pub created: Option<(u32, Stack)>,
}

/// What the address belongs to, as far as the runtime itself knows.
#[derive(Clone, Debug)]
pub enum Place {
    /// A heap block.
    Heap {
        /// First byte.
        start: u64,
        /// Size asked for.
        size: u64,
        /// Thread that allocated it.
        thread: u32,
        /// Where it was allocated.
        stack: Stack,
        /// It was freed already.
        freed: bool,
    },
    /// The stack of a thread.
    ThreadStack {
        /// Whose.
        thread: u32,
    },
    /// Thread-local storage of a thread.
    ThreadLocal {
        /// Whose.
        thread: u32,
        /// That thread's thread pointer (`fs:0`), if known: variables are
        /// found relative to it.
        thread_pointer: Option<u64>,
    },
    /// Memory inside the C library.
    StaticBuffer {
        /// What it is.
        name: &'static str,
    },
    /// Not memory but a file descriptor.
    Descriptor {
        /// Its number.
        number: u32,
    },
    /// Nothing the runtime tracks: a global, or memory mapped by the program.
    Other,
}

/// A finding.
#[derive(Clone, Debug)]
pub struct Finding {
    /// Kind.
    pub kind: Kind,
    /// The access that revealed it first, then the earlier one.
    pub accesses: [Access; 2],
    /// The memory they share.
    pub place: Place,
    /// Every thread mentioned above, and the creators of those.
    pub threads: Vec<ThreadInfo>,
    /// Every lock mentioned.
    pub locks: Vec<LockInfo>,
    /// What alone ordered the accesses of a possible race in this run, the
    /// latest first; empty if that is not known any more.
    pub handovers: Vec<Handover>,
}
