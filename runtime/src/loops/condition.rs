//! What the pass passes on at the exit of a loop that waits on a condition
//! variable. The layout is part of [`racert_abi::sync_loop`].

use racert_abi::sync_loop;

/// Bytes that the decision to leave the loop depended on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Condition {
    /// Where; 0 if the last evaluation did not read it.
    pub addr: usize,
    /// How many.
    pub size: usize,
}

const _: () = assert!(size_of::<Condition>() == sync_loop::CONDITION_SIZE);

/// An exit.
#[derive(Clone, Copy, Debug)]
pub struct WaitExit<'a> {
    /// The condition variable; 0 if only the mutex leads to it.
    pub condvar: usize,
    /// The mutex; 0 if it is not known.
    pub mutex: usize,
    flags: u32,
    conditions: &'a [Condition],
}

impl<'a> WaitExit<'a> {
    /// From what the hook was called with.
    ///
    /// # Safety
    /// `count` conditions lie at `conditions`.
    pub unsafe fn new(
        condvar: usize,
        mutex: usize,
        flags: u32,
        count: u32,
        conditions: *const Condition,
    ) -> WaitExit<'a> {
        let conditions = if count == 0 {
            &[]
        } else {
            // SAFETY: promised by the caller.
            unsafe { core::slice::from_raw_parts(conditions, count as usize) }
        };
        WaitExit {
            condvar,
            mutex,
            flags,
            conditions,
        }
    }

    /// Whether the loop was left because somebody made the condition true or
    /// woke the thread, and not for a reason of its own.
    pub fn is_ordered(&self) -> bool {
        self.flags & sync_loop::UNORDERED == 0
    }

    /// Whether being woken was all it needed.
    pub fn is_woken(&self) -> bool {
        self.flags & sync_loop::WOKEN != 0
    }

    /// Whether what predicates read counts too.
    pub fn is_noted(&self) -> bool {
        self.flags & sync_loop::NOTED != 0
    }

    /// What the evaluation that ended the loop read.
    pub fn conditions(&self) -> impl Iterator<Item = Condition> {
        let counts = self.flags >> sync_loop::ADDRESS_SHIFT;
        self.conditions
            .iter()
            .enumerate()
            .filter(move |(i, condition)| counts >> i & 1 != 0 && condition.addr != 0)
            .map(|(_, condition)| *condition)
    }
}

#[cfg(test)]
mod tests {
    use super::{Condition, WaitExit};
    use racert_abi::sync_loop;

    #[test]
    fn only_what_was_read_for_this_exit_counts() {
        let all = [
            Condition { addr: 16, size: 4 },
            Condition { addr: 0, size: 4 },
            Condition { addr: 32, size: 8 },
            Condition { addr: 48, size: 1 },
        ];
        let flags = 0b0111 << sync_loop::ADDRESS_SHIFT | sync_loop::NOTED;
        // SAFETY: that many lie there.
        let exit = unsafe { WaitExit::new(1, 2, flags, 4, all.as_ptr()) };
        let counting: Vec<Condition> = exit.conditions().collect();
        assert_eq!(counting, [all[0], all[2]]);
        assert!(exit.is_ordered() && exit.is_noted() && !exit.is_woken());
    }

    #[test]
    fn a_timeout_orders_nothing() {
        // SAFETY: none lie there.
        let exit = unsafe { WaitExit::new(1, 2, sync_loop::UNORDERED, 0, core::ptr::null()) };
        assert!(!exit.is_ordered());
        assert_eq!(exit.conditions().count(), 0);
    }
}
