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
    /// What its thread did last before it to be ordered with others, other than
    /// with locks, if that is known and no lock is known to have been used
    /// since; likewise [`Access::last_lock`]. Both, if it is not known which of
    /// them came last.
    pub last_sync: Option<LastSync>,
}

/// How a thread gets ordered with others, other than by a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Act {
    /// It created a thread.
    ThreadCreate = 1,
    /// It joined one.
    ThreadJoin,
    /// It signalled a condition variable, or broadcast on it.
    CondvarSignal,
    /// It was woken on one.
    CondvarWait,
    /// It posted a semaphore.
    SemaphorePost,
    /// It waited for one.
    SemaphoreWait,
    /// It waited at a barrier.
    BarrierWait,
    /// It ran an initialiser that runs only once.
    OnceRun,
    /// It found that done.
    OncePassed,
    /// An atomic store that releases.
    AtomicRelease,
    /// An atomic load that acquires.
    AtomicAcquire,
    /// An atomic read-modify-write that releases or acquires.
    AtomicUpdate,
    /// A fence.
    Fence,
    /// It wrote to a descriptor.
    Send,
    /// It read from a descriptor.
    Receive,
    /// It released something else, such as what an annotation names.
    Release,
    /// It acquired such a thing.
    Acquire,
}

impl Act {
    /// All of them, by number.
    pub const ALL: [Act; 17] = [
        Act::ThreadCreate,
        Act::ThreadJoin,
        Act::CondvarSignal,
        Act::CondvarWait,
        Act::SemaphorePost,
        Act::SemaphoreWait,
        Act::BarrierWait,
        Act::OnceRun,
        Act::OncePassed,
        Act::AtomicRelease,
        Act::AtomicAcquire,
        Act::AtomicUpdate,
        Act::Fence,
        Act::Send,
        Act::Receive,
        Act::Release,
        Act::Acquire,
    ];

    /// The one with that number.
    pub fn numbered(number: u8) -> Option<Act> {
        let index = usize::from(number).checked_sub(1)?;
        Act::ALL.get(index).copied()
    }

    /// What its object is called; `None` if that is a thread, or nothing that
    /// has a name.
    pub fn noun(self) -> Option<&'static str> {
        match self {
            Act::ThreadCreate | Act::ThreadJoin | Act::Fence | Act::Send | Act::Receive => None,
            Act::CondvarSignal | Act::CondvarWait => Some("condition variable"),
            Act::SemaphorePost | Act::SemaphoreWait => Some("semaphore"),
            Act::BarrierWait => Some("barrier"),
            Act::OnceRun | Act::OncePassed => Some("initialisation"),
            Act::AtomicRelease | Act::AtomicAcquire | Act::AtomicUpdate => Some("atomic variable"),
            Act::Release | Act::Acquire => Some("synchronisation object"),
        }
    }
}

/// A thread did something that orders it with others.
#[derive(Clone, Debug)]
pub struct LastSync {
    /// What.
    pub act: Act,
    /// To what: an index into [`Finding::locks`].
    pub object: Option<usize>,
    /// To which thread.
    pub thread: Option<u32>,
    /// Through which file descriptor.
    pub descriptor: Option<u32>,
    /// Where.
    pub stack: Stack,
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
