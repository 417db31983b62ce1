//! What an access touches, as a value plus a constant.

use crate::access::Access;
use crate::llvm::value::Value;
use crate::runtime::Direction;

/// Bytes `offset..offset + size` from a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Location {
    /// The value the address is computed from.
    pub(crate) base: Value,
    /// Bytes from there to the first one touched.
    pub(crate) offset: i64,
    /// Bytes touched.
    pub(crate) size: u64,
}

impl Location {
    /// Where an access of fixed size goes.
    pub(crate) fn of(access: &Access) -> Option<Location> {
        let Access {
            base, base_offset, ..
        } = *access;
        Some(Location {
            base,
            offset: base_offset,
            size: access.size()?,
        })
    }

    /// The first byte behind it.
    pub(crate) fn end(&self) -> i64 {
        self.offset.wrapping_add_unsigned(self.size)
    }

    /// Whether all bytes of `other` are among these.
    pub(crate) fn contains(&self, other: &Location) -> bool {
        self.base == other.base && self.offset <= other.offset && other.end() <= self.end()
    }
}

/// Whether a check in one direction makes one in another needless.
pub(crate) fn direction_covers(strong: Direction, weak: Direction) -> bool {
    strong == Direction::Write || weak == Direction::Read
}
