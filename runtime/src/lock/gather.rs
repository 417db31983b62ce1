//! Findings about locks put together from what the process knows.

use super::finding::{LockFinding, LockInfo, Part, Trouble};
use super::{Kind, LockId, describe};
use crate::finding::Stack;
use crate::suppress::Class;
use crate::thread::registry;
use crate::{report_race, stack};
use alloc::string::String;
use alloc::vec::Vec;

impl Trouble {
    /// What suppressions call it.
    pub fn class(self) -> Class {
        match self {
            Trouble::OrderInversion | Trouble::Deadlock | Trouble::LostWakeup => Class::Deadlock,
            _ => Class::Mutex,
        }
    }
}

impl LockInfo {
    /// Lock `id`.
    pub fn of(id: LockId) -> LockInfo {
        let known = describe(id);
        let destroyed = (known.destroyed != 0).then(|| stack::resolve(known.destroyed));
        LockInfo {
            lock: Some(known),
            noun: known.kind.noun(),
            address: known.address as u64,
            place: report_race::place(known.address, false),
            created: stack::resolve(known.stack),
            destroyed,
        }
    }

    /// Something at `address` that has no identity.
    pub fn at(address: usize, noun: &'static str) -> LockInfo {
        LockInfo {
            lock: None,
            noun,
            address: address as u64,
            place: report_race::place(address, false),
            created: Stack::default(),
            destroyed: None,
        }
    }

    /// The lock at `address`, of that kind if it is not known yet.
    pub fn find(address: usize, kind: Kind) -> LockInfo {
        let object = crate::sync::table::find(address);
        match object.and_then(|object| object.lock_id()) {
            Some(id) => LockInfo::of(id),
            None => LockInfo::at(address, kind.noun()),
        }
    }
}

impl LockFinding {
    /// A finding without suggestion; the threads are those of the stacks.
    pub fn new(
        trouble: Trouble,
        message: String,
        parts: Vec<Part>,
        locks: Vec<LockInfo>,
    ) -> LockFinding {
        let threads = registry::with_creators(parts.iter().map(|part| part.thread));
        LockFinding {
            trouble,
            message,
            suggestion: None,
            parts,
            locks,
            threads,
        }
    }
}
