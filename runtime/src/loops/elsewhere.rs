//! Whether functions of other files wait, as their tables tell.
//!
//! A function that only hands its arguments on waits if one of those waits that
//! it hands them on to. The tables are followed when the first loop asks; what
//! came out stands in the table that was asked for from then on.

use core::sync::atomic::{AtomicU64, Ordering};
use racert_abi::sync_loop;
use smallvec::SmallVec;

/// Tables that one question leads to, at most.
const TABLES: usize = 64;

/// What [`sync_loop::WAITS`] describes; the pointers to other tables are behind
/// it.
#[repr(C)]
pub(super) struct Table {
    answer: AtomicU64,
    count: u64,
}

const CERTAIN: u64 = sync_loop::CERTAIN as u64;
const NOT_ASKED: u64 = sync_loop::NOT_ASKED as u64;
const NEVER: u64 = sync_loop::NEVER as u64;

impl Table {
    fn others(&self) -> &[Option<&'static Table>] {
        // SAFETY: as many pointers to tables, or nulls, follow as it says.
        unsafe {
            let first = core::ptr::from_ref(self).add(1).cast();
            core::slice::from_raw_parts(first, self.count as usize)
        }
    }
}

/// Does the function with this table wait?
pub(super) fn waits(table: &'static Table) -> bool {
    match table.answer.load(Ordering::Relaxed) {
        CERTAIN => true,
        NOT_ASKED => {
            let found = follow(table);
            let answer = if found { CERTAIN } else { NEVER };
            table.answer.store(answer, Ordering::Relaxed);
            found
        }
        _ => false,
    }
}

#[cold]
fn follow(table: &'static Table) -> bool {
    let mut reached: SmallVec<[&Table; 16]> = SmallVec::new();
    reached.push(table);
    let mut next = 0;
    while let Some(each) = reached.get(next).copied() {
        next += 1;
        match each.answer.load(Ordering::Relaxed) {
            CERTAIN => return true,
            NEVER => continue,
            _ => {}
        }
        for other in each.others().iter().flatten() {
            let is_new = !reached.iter().any(|known| core::ptr::eq(*known, *other));
            if is_new && reached.len() < TABLES {
                reached.push(other);
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::{AtomicU64, CERTAIN, NEVER, NOT_ASKED, Ordering, Table, waits};
    use core::cell::Cell;

    #[repr(C)]
    struct Two {
        table: Table,
        others: Cell<[Option<&'static Table>; 2]>,
    }

    fn two(answer: u64) -> &'static Two {
        let count = if answer == NOT_ASKED { 2 } else { 0 };
        Box::leak(Box::new(Two {
            table: Table {
                answer: AtomicU64::new(answer),
                count,
            },
            others: Cell::new([None; 2]),
        }))
    }

    #[test]
    fn who_hands_on_waits_if_the_last_does() {
        let (outer, inner, last) = (two(NOT_ASKED), two(NOT_ASKED), two(CERTAIN));
        outer.others.set([None, Some(&inner.table)]);
        inner.others.set([Some(&outer.table), Some(&last.table)]);
        assert!(waits(&outer.table));
        assert_eq!(outer.table.answer.load(Ordering::Relaxed), CERTAIN);
        assert!(waits(&inner.table));
    }

    #[test]
    fn who_leads_nowhere_does_not() {
        let (outer, inner) = (two(NOT_ASKED), two(NOT_ASKED));
        outer.others.set([None, Some(&inner.table)]);
        inner.others.set([Some(&outer.table), None]);
        assert!(!waits(&outer.table));
        assert_eq!(outer.table.answer.load(Ordering::Relaxed), NEVER);
        assert!(!waits(&inner.table) && !waits(&outer.table));
    }
}
