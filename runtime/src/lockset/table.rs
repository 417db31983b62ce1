//! Where sets live.

use super::{Item, LocksetId};
use crate::interned::Lists;
use crate::os;

static SETS: Lists = Lists::new();

/// Reserves the table.
pub fn reserve() -> Result<(), os::Errno> {
    SETS.reserve()
}

/// The locks of a set.
pub(super) fn items(set: LocksetId) -> &'static [Item] {
    if set == LocksetId::UNKNOWN {
        return &[];
    }
    let list = SETS.get(set.0);
    // SAFETY: an item is a transparent u32.
    unsafe { core::slice::from_raw_parts(list.as_ptr().cast(), list.len()) }
}

/// The set of `items`, which are in order.
pub(super) fn intern(items: &[Item]) -> LocksetId {
    // SAFETY: as above.
    let list = unsafe { core::slice::from_raw_parts(items.as_ptr().cast(), items.len()) };
    SETS.intern(list).map_or(LocksetId::UNKNOWN, LocksetId)
}
