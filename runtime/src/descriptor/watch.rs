//! Which descriptors the events of an epoll set speak of.
//!
//! An event carries what the program gave with the descriptor, not its number.
//! Whoever is told that a descriptor can be read from comes after those who
//! sent: they made it so.

use crate::spin::SpinLock;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

/// A descriptor in an epoll set: the set, then the descriptor.
type Member = (i32, i32);

#[derive(Default)]
struct Watched {
    /// What the program gave with it.
    data: BTreeMap<Member, u64>,
    /// The descriptors of a set that came with the same.
    members: BTreeMap<(i32, u64), Vec<i32>>,
}

static WATCHED: SpinLock<Watched> = SpinLock::new(Watched {
    data: BTreeMap::new(),
    members: BTreeMap::new(),
});

impl Watched {
    fn remove(&mut self, (set, fd): Member) -> Option<u64> {
        let data = self.data.remove(&(set, fd))?;
        if let Some(members) = self.members.get_mut(&(set, data)) {
            members.retain(|member| *member != fd);
            if members.is_empty() {
                self.members.remove(&(set, data));
            }
        }
        Some(data)
    }

    fn add(&mut self, (set, fd): Member, data: u64) -> Option<u64> {
        let before = self.remove((set, fd));
        self.data.insert((set, fd), data);
        self.members.entry((set, data)).or_default().push(fd);
        before
    }

    fn remove_set(&mut self, set: i32) {
        let of_set: Vec<Member> = self
            .data
            .range((set, i32::MIN)..=(set, i32::MAX))
            .map(|(member, _)| *member)
            .collect();
        for member in of_set {
            self.remove(member);
        }
    }
}

// The callers of the following have entered the runtime.

/// The set is about to watch `fd`, and to say `data` when it speaks of it;
/// what it said before.
pub(crate) fn adding(set: i32, fd: i32, data: u64) -> Option<u64> {
    WATCHED.lock().add((set, fd), data)
}

/// The kernel refused: it is as it was `before`.
pub(crate) fn refused(set: i32, fd: i32, before: Option<u64>) {
    match before {
        Some(data) => drop(WATCHED.lock().add((set, fd), data)),
        None => removed(set, fd),
    }
}

/// The set does not watch `fd` any more.
pub(crate) fn removed(set: i32, fd: i32) {
    WATCHED.lock().remove((set, fd));
}

/// What was a descriptor called `fd` is something new.
pub(super) fn opened(fd: i32) {
    WATCHED.lock().remove_set(fd);
}

/// The descriptors that an event of `set` may mean.
pub(crate) fn meant(set: i32, data: u64) -> Vec<i32> {
    let watched = WATCHED.lock();
    watched
        .members
        .get(&(set, data))
        .cloned()
        .unwrap_or_default()
}

/// Keeps everybody else out until the process has forked.
pub(super) fn before_fork() {
    WATCHED.hold();
}

/// # Safety
/// As [`SpinLock::force_unlock`].
pub(super) unsafe fn after_fork() {
    // SAFETY: passed on.
    unsafe { WATCHED.force_unlock() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_mean_what_was_added_last() {
        let mut watched = Watched::default();
        let meant =
            |watched: &Watched, data| watched.members.get(&(9, data)).cloned().unwrap_or_default();
        watched.add((9, 1), 70);
        watched.add((9, 2), 70);
        watched.add((8, 3), 70);
        assert_eq!(meant(&watched, 70), [1, 2]);
        watched.add((9, 1), 71);
        assert_eq!(
            (meant(&watched, 70), meant(&watched, 71)),
            (vec![2], vec![1])
        );
        watched.remove((9, 2));
        assert!(meant(&watched, 70).is_empty());
        watched.remove_set(9);
        assert!(meant(&watched, 71).is_empty());
        assert_eq!(watched.data.len(), 1);
    }
}
