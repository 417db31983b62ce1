//! Who waits for whom: deadlocks that have happened.
//!
//! A thread that does not get a lock at once, or joins another, says what it
//! waits for and which locks it holds, and looks whether the ones it waits for
//! wait for it in turn. Whoever closes the circle finds it.
//!
//! No circle is found that is not there. A listed thread does not touch its
//! locks until it is off the list; a lock is on its list only while it really
//! has it; so a thread that waits for that lock cannot have got it meanwhile,
//! whatever the order of events was. A thread in a condition variable's wait
//! goes nowhere without its mutex, signalled or not: it waits for the mutex.
//!
//! Being listed takes a lock that all threads share. So a thread that holds
//! nothing, for which nobody can wait but one who joins it, only leaves a note
//! in its own record, unless a thread that holds locks is joining another.

use super::finding::{LockFinding, LockInfo, Part, Trouble};
use super::held::Held;
use super::misuse::{relocked, subject, taken};
use super::{Kind, LockId, Mode, native, stuck};
use crate::report::{self, in_a_sentence};
use crate::spin::SpinLock;
use crate::sync::table;
use crate::thread::{Thread, registry};
use crate::{options, stack};
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// What a thread waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum For {
    Lock(LockId, Mode),
    /// The end of that thread.
    Thread(u32, *const Waits),
}

/// What a thread waits for, as others may be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    /// A lock.
    Lock(LockId, Mode),
    /// The end of that thread.
    Thread(u32),
}

impl What {
    /// The lock, if it is one.
    pub(crate) fn lock(self) -> Option<LockId> {
        match self {
            What::Lock(lock, _) => Some(lock),
            What::Thread(_) => None,
        }
    }
}

/// A thread waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Wait {
    /// For what.
    pub(crate) what: What,
}

impl Waiter {
    fn wait(&self) -> Wait {
        Wait {
            what: match self.what {
                For::Lock(lock, mode) => What::Lock(lock, mode),
                For::Thread(number, _) => What::Thread(number),
            },
        }
    }
}

/// The threads that are listed, and what each waits for.
pub(crate) fn listed() -> Vec<(u32, Wait)> {
    let listed = LISTED.lock();
    let waiters = listed.0.values();
    waiters
        .map(|waiter| (waiter.thread, waiter.wait()))
        .collect()
}

/// A thread that waits for a lock or another thread.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stopped {
    /// Which.
    pub(super) thread: u32,
    /// For what.
    pub(super) what: What,
    /// Stack id of the call that waits.
    pub(super) stack: u32,
}

/// All threads that wait so, listed or not.
pub(super) fn stopped() -> Vec<Stopped> {
    let of = |waiter: &Waiter| Stopped {
        thread: waiter.thread,
        what: waiter.wait().what,
        stack: waiter.stack,
    };
    let mut all: Vec<Stopped> = LISTED.lock().0.values().map(of).collect();
    let mut noted = Vec::new();
    registry::each_live(|number, _, block| {
        // SAFETY: the registry keeps the thread while this looks.
        let thread = unsafe { (&raw const (*block).thread).read_volatile().as_ref() };
        noted.extend(thread.and_then(|thread| thread.waits.read_note(number)));
    });
    let unlisted = noted.iter().map(of);
    let unlisted: Vec<Stopped> = unlisted
        .filter(|one| all.iter().all(|other| other.thread != one.thread))
        .collect();
    all.extend(unlisted);
    all
}

/// What a thread's own record says of its waiting.
#[derive(Default)]
pub struct Waits {
    /// For a thread that is not listed: the lock and mode it waits for in the
    /// upper half, the stack id of the call in the lower; 0 if it does not
    /// wait.
    note: AtomicU64,
    listed: bool,
    /// Counted among those that cannot go on by themselves.
    parked: bool,
}

impl Waits {
    /// Not waiting.
    pub const fn new() -> Waits {
        Waits {
            note: AtomicU64::new(0),
            listed: false,
            parked: false,
        }
    }

    fn leave_note(&self, lock: LockId, mode: Mode, stack: u32) {
        let what = u64::from(lock.number()) << 1 | mode as u64;
        self.note
            .store(what << 32 | u64::from(stack), Ordering::SeqCst);
    }

    /// What the note says.
    pub(crate) fn noted(&self) -> Option<Wait> {
        Some(self.read_note(0)?.wait())
    }

    /// What the note says of the thread with that number.
    fn read_note(&self, thread: u32) -> Option<Waiter> {
        let note = self.note.load(Ordering::SeqCst);
        let mode = if note >> 32 & 1 == 0 {
            Mode::Read
        } else {
            Mode::Write
        };
        Some(Waiter {
            thread,
            what: For::Lock(LockId::new((note >> 33) as u32)?, mode),
            stack: note as u32,
            held: Vec::new(),
        })
    }
}

/// Threads that hold locks and join another.
static JOINING: AtomicU32 = AtomicU32::new(0);

#[derive(Clone)]
struct Waiter {
    thread: u32,
    what: For,
    /// Stack id of the call that waits.
    stack: u32,
    held: Vec<Held>,
}

impl Waiter {
    /// The lock it waits for.
    fn lock(&self) -> Option<LockId> {
        match self.what {
            For::Lock(lock, _) => Some(lock),
            For::Thread(..) => None,
        }
    }

    /// The lock that keeps `other` waiting, if this thread has it.
    fn blocks(&self, other: For) -> bool {
        match other {
            For::Lock(lock, mode) => self
                .held
                .iter()
                .any(|held| held.lock == lock && held.mode.excludes(mode)),
            For::Thread(number, _) => self.thread == number,
        }
    }
}

/// Waiting threads by number.
struct Listed(BTreeMap<u32, Waiter>);

// SAFETY: the pointers are to records of threads that are being joined, which
// stay until the joiner is off the list.
unsafe impl Send for Listed {}

static LISTED: SpinLock<Listed> = SpinLock::new(Listed(BTreeMap::new()));

/// The thread did not get the lock at `address` at once and is about to wait
/// for it. Does [`done`] have to be called afterwards?
#[cold]
pub fn blocked(me: &mut Thread, address: usize, pc: usize, kind: Kind, mode: Mode) -> bool {
    if let Some(held) = me.held.find(address)
        && waits_for_itself(address, kind, held.mode, mode)
    {
        let trouble = match held.mode {
            Mode::Read => Trouble::Upgrade,
            Mode::Write => Trouble::DoubleLock,
        };
        let finding = relocked(me, held, pc, trouble);
        deadlocked(&finding);
        return false;
    }
    let listed = list_for_lock(me, address, pc, mode);
    park(me, listed);
    listed
}

/// The thread, if it is listed, waits until somebody else does something.
fn park(me: &mut Thread, listed: bool) {
    if listed {
        me.waits.parked = true;
        stuck::parked();
        stuck::look();
    }
}

/// The thread waits on a condition variable until it gets the mutex at
/// `address` again, which it has given back.
pub fn waiting(me: &mut Thread, address: usize, pc: usize) -> bool {
    !me.held.all().is_empty() && list_for_lock(me, address, pc, Mode::Write)
}

fn list_for_lock(me: &mut Thread, address: usize, pc: usize, mode: Mode) -> bool {
    let Some(lock) = table::find(address).and_then(|object| object.lock_id()) else {
        return false;
    };
    list(me, For::Lock(lock, mode), pc)
}

/// Would the lock be granted by nobody but the thread itself?
fn waits_for_itself(address: usize, kind: Kind, held: Mode, wanted: Mode) -> bool {
    match kind {
        Kind::Mutex => {
            native::relock(address) == native::Relock::Hangs
                && native::mutex_holder(address) == native::Holder::Me
        }
        // A writer's own second attempt fails instead.
        Kind::RwLock => held == Mode::Read && wanted == Mode::Write,
        Kind::Spin => true,
        Kind::Custom => false,
    }
}

/// The thread is about to wait for the end of thread `target`, whose record
/// stays until [`done`] has been called.
pub fn joining(me: &mut Thread, target: &Thread, pc: usize) -> bool {
    // libc refuses that at once.
    if target.number == me.number {
        return false;
    }
    if !me.held.all().is_empty() {
        JOINING.fetch_add(1, Ordering::SeqCst);
    }
    let listed = list(me, For::Thread(target.number, &raw const target.waits), pc);
    park(me, listed);
    listed
}

/// The thread waits no longer.
pub fn done(me: &mut Thread) {
    if core::mem::take(&mut me.waits.parked) {
        stuck::gone(1);
    }
    if !me.waits.listed {
        return me.waits.note.store(0, Ordering::Relaxed);
    }
    me.waits.listed = false;
    let waited = LISTED.lock().0.remove(&me.number);
    if let Some(Waiter {
        what: For::Thread(..),
        held,
        ..
    }) = waited
        && !held.is_empty()
    {
        JOINING.fetch_sub(1, Ordering::SeqCst);
    }
}

fn list(me: &mut Thread, what: For, pc: usize) -> bool {
    let stack = me.stack_id(pc);
    let holds = !me.held.all().is_empty();
    if let (For::Lock(lock, mode), false) = (what, holds) {
        me.waits.leave_note(lock, mode, stack);
        if JOINING.load(Ordering::SeqCst) == 0 {
            return true;
        }
    }
    let waiter = Waiter {
        thread: me.number,
        what,
        stack,
        held: me.held.all().to_vec(),
    };
    me.waits.listed = true;
    let mut listed = LISTED.lock();
    listed.0.insert(me.number, waiter);
    let circle = circle(&listed.0, me.number);
    drop(listed);
    if let Some(circle) = circle {
        deadlocked(&finding(&circle));
    }
    true
}

/// The threads that wait for each other, `start` first, if it is in a circle.
fn circle(listed: &BTreeMap<u32, Waiter>, start: u32) -> Option<Vec<Waiter>> {
    let mut visited = vec![start];
    let mut path = vec![listed.get(&start)?.clone()];
    let closed = extend(listed, start, &mut visited, &mut path);
    // libc does not let two threads join each other.
    let refused = path.len() <= 2 && path.iter().all(|waiter| waiter.lock().is_none());
    (closed && !refused).then_some(path)
}

fn extend(
    listed: &BTreeMap<u32, Waiter>,
    start: u32,
    visited: &mut Vec<u32>,
    path: &mut Vec<Waiter>,
) -> bool {
    let Some(last) = path.last() else {
        return false;
    };
    let next: Vec<Waiter> = match last.what {
        For::Thread(number, waits) => {
            // SAFETY: the joiner is on the list, so the record is there.
            let noted = || unsafe { (*waits).read_note(number) };
            let known = listed.get(&number).cloned();
            known.or_else(noted).into_iter().collect()
        }
        For::Lock(..) => listed
            .values()
            .filter(|other| other.thread != last.thread && other.blocks(last.what))
            .cloned()
            .collect(),
    };
    for waiter in next {
        if waiter.thread == start {
            return true;
        }
        if !visited.contains(&waiter.thread) {
            visited.push(waiter.thread);
            path.push(waiter);
            if extend(listed, start, visited, path) {
                return true;
            }
            path.pop();
        }
    }
    false
}

fn finding(circle: &[Waiter]) -> LockFinding {
    let locks: Vec<LockId> = circle.iter().filter_map(Waiter::lock).collect();
    let mut sentences: Vec<String> = Vec::new();
    let mut parts = Vec::new();
    for (i, waiter) in circle.iter().enumerate() {
        let next = &circle[(i + 1) % circle.len()];
        let holder = in_a_sentence(next.thread);
        let index = locks.iter().position(|lock| Some(*lock) == waiter.lock());
        let (what, sentence) = match index {
            Some(index) => (
                format!("{{{index}}}"),
                format!("{{{index}}}, which {holder} holds"),
            ),
            None => (
                format!("the end of {holder}"),
                format!("the end of {holder}"),
            ),
        };
        let thread = in_a_sentence(waiter.thread);
        sentences.push(format!("{thread} waits for {sentence}"));
        parts.push(Part {
            said: format!("{} waits for {what} at:", subject(waiter.thread)),
            thread: waiter.thread,
            stack: stack::resolve(waiter.stack),
        });
        let held = next
            .held
            .iter()
            .find(|held| Some(held.lock) == waiter.lock());
        if let (Some(held), Some(index)) = (held, index) {
            parts.push(taken(held, next.thread, index));
        }
    }
    let whole = sentences.join(", and ");
    let mut letters = whole.chars();
    let first = letters.next().map_or('T', |c| c.to_ascii_uppercase());
    let message = format!("{first}{}: none of them can go on.", letters.as_str());
    let what = if locks.len() < circle.len() {
        "give back what a thread needs before its end is waited for"
    } else {
        "take the locks in the same order everywhere"
    };
    let locks = locks.into_iter().map(LockInfo::of).collect();
    LockFinding::new(Trouble::Deadlock, message, parts, locks).suggesting(what)
}

/// Reports, and ends the program unless it is to hang.
pub(super) fn deadlocked(finding: &LockFinding) {
    report::lock_finding(finding);
    if options::get().on_deadlock == options::OnDeadlock::Abort {
        report::end_now();
    }
}

/// In a forked child.
pub(super) fn forget_all() {
    LISTED.lock().0.clear();
    JOINING.store(0, Ordering::Relaxed);
    stuck::forget_all();
}

pub(super) fn before_fork() {
    LISTED.hold();
}

pub(super) unsafe fn after_fork() {
    // SAFETY: passed on.
    unsafe { LISTED.force_unlock() }
}

#[cfg(test)]
mod tests {
    use super::super::held::{At, HeldLocks};
    use super::*;

    fn lock(number: u32) -> LockId {
        LockId::new(number).unwrap()
    }

    fn waiter(thread: u32, what: For, held: &[(u32, Mode)]) -> Waiter {
        let mut locks = HeldLocks::new();
        for (number, mode) in held {
            let at = At { pc: 1, context: 1 };
            locks.push(lock(*number), *number as usize * 64, *mode, at, 0);
        }
        Waiter {
            thread,
            what,
            stack: 0,
            held: locks.all().to_vec(),
        }
    }

    fn circle_of(waiters: &[Waiter], start: u32) -> Option<usize> {
        let listed = waiters.iter().map(|w| (w.thread, w.clone())).collect();
        circle(&listed, start).map(|circle| circle.len())
    }

    #[test]
    fn only_those_who_wait_for_each_other() {
        use Mode::{Read, Write};
        let writes = |number| For::Lock(lock(number), Write);
        let all = [
            waiter(1, writes(20), &[(10, Write)]),
            waiter(2, writes(30), &[(20, Read)]),
            waiter(3, writes(10), &[(30, Write), (31, Write)]),
            waiter(4, writes(31), &[(40, Write)]),
        ];
        assert_eq!(circle_of(&all, 1), Some(3));
        assert_eq!(circle_of(&all, 3), Some(3));
        assert_eq!(
            circle_of(&all, 4),
            None,
            "waits for them, but not they for it"
        );
        assert_eq!(circle_of(&all[..2], 1), None);
    }

    #[test]
    fn readers_do_not_wait_for_readers() {
        use Mode::{Read, Write};
        for (mode, expected) in [(Read, None), (Write, Some(2))] {
            let all = [
                waiter(1, For::Lock(lock(2), mode), &[(1, Write)]),
                waiter(2, For::Lock(lock(1), Write), &[(2, Read)]),
            ];
            assert_eq!(circle_of(&all, 1), expected);
        }
    }

    #[test]
    fn a_joined_thread_that_only_left_a_note() {
        let waits = Waits::new();
        let all = [waiter(1, For::Thread(2, &waits), &[(5, Mode::Write)])];
        assert_eq!(circle_of(&all, 1), None);
        waits.leave_note(lock(5), Mode::Write, 7);
        assert_eq!(circle_of(&all, 1), Some(2));
        waits.leave_note(lock(6), Mode::Write, 7);
        assert_eq!(circle_of(&all, 1), None);
    }
}
