//! What a lock is, as a report says it.

use core::num::NonZeroU32;

/// The identity of a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LockId(NonZeroU32);

impl LockId {
    /// Locks are numbered below this, which stands for one that is not known;
    /// users of the number have its upper bits for themselves.
    pub const LIMIT: u32 = 1 << 26;

    /// The identity with that number; 0 is none.
    #[inline]
    pub fn new(number: u32) -> Option<LockId> {
        NonZeroU32::new(number).map(LockId)
    }

    /// Its number.
    #[inline]
    pub fn number(self) -> u32 {
        self.0.get()
    }
}

/// What a lock is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// A pthread or C11 mutex.
    Mutex,
    /// A pthread read-write lock.
    RwLock,
    /// A pthread spin lock.
    Spin,
    /// A lock of the program's own making, known from annotations.
    Custom,
}

impl Kind {
    /// What people call it.
    pub fn noun(self) -> &'static str {
        match self {
            Kind::Mutex => "mutex",
            Kind::RwLock => "read-write lock",
            Kind::Spin => "spin lock",
            Kind::Custom => "lock",
        }
    }

    /// The kind with that number.
    pub(super) fn from_number(number: u8) -> Kind {
        match number {
            1 => Kind::RwLock,
            2 => Kind::Spin,
            3 => Kind::Custom,
            _ => Kind::Mutex,
        }
    }
}

/// What is known of a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Description {
    /// Which one.
    pub id: LockId,
    /// Where it is, or was.
    pub address: usize,
    /// What it is.
    pub kind: Kind,
    /// Its initialisation was seen, and is [`Description::stack`]; else that is
    /// its first use.
    pub initialised: bool,
    /// Stack id; 0 if unknown.
    pub stack: u32,
    /// Number of the thread that did that.
    pub thread: u32,
    /// Stack id of its destruction; 0 while it lives, or if its memory just
    /// went.
    pub destroyed: u32,
}
