//! Locks used as they must not be.
//!
//! Each function is called when a thread's list of held locks and what it does
//! disagree, looks at the lock itself, and reports what is certain. Locks known
//! from annotations alone cannot be looked at and are believed.

use super::finding::{LockFinding, LockInfo, Part, Trouble};
use super::held::Held;
use super::native::{self, Holder, Relock};
use super::{Kind, LockId, Mode, record, taking};
use crate::report::{self, in_a_sentence, thread_name};
use crate::sync::table;
use crate::thread::{Thread, registry};
use crate::{options, stack};
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

/// `said` by `me` at `pc`.
pub(super) fn part(me: &Thread, pc: usize, said: String) -> Part {
    Part {
        said,
        thread: me.number,
        stack: stack::resolve(me.stack_id(pc)),
    }
}

/// Where a held lock was taken.
pub(super) fn taken(held: &Held, thread: u32, index: usize) -> Part {
    Part {
        said: format!("{{{index}}} was taken by {} at:", thread_name(thread)),
        thread,
        stack: stack::resolve(held.at.stack()),
    }
}

/// With a capital first letter.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        format!("{}{}", first.to_ascii_uppercase(), letters.as_str())
    })
}

/// `Thread T1`, `The main thread`
pub(super) fn subject(number: u32) -> String {
    capital(&in_a_sentence(number))
}

/// The thread is about to unlock a lock that it is not known to hold.
#[cold]
pub fn unlock_not_held(me: &Thread, address: usize, pc: usize, kind: Kind) {
    if is_destroyed(me, address, pc, kind, "Unlock") {
        return;
    }
    let holder = match kind {
        // The program has asked libc to tell it.
        Kind::Mutex if native::relock(address) == Relock::Fails => return,
        Kind::Mutex => native::mutex_holder(address),
        Kind::RwLock => native::rwlock_holder(address),
        Kind::Spin if native::spin_is_free(address) => Holder::Nobody,
        Kind::Spin => Holder::Other,
        Kind::Custom => return,
    };
    let lock = LockInfo::find(address, kind);
    let who = subject(me.number);
    let here = part(
        me,
        pc,
        format!("Unlock of {{0}} by {}:", thread_name(me.number)),
    );
    let finding = match holder {
        // Taken before the runtime was there, or by another fiber.
        Holder::Me => return taking::handed_over(address),
        // Readers leave no name: one of them may be this thread.
        Holder::Other if kind != Kind::Mutex && me.held.has_gaps() => return,
        Holder::Nobody => LockFinding::new(
            Trouble::UnlockUnlocked,
            format!(
                "{who} unlocks {{0}}, which no thread holds. The lock may be broken from now on: \
                 two threads may get it at the same time."
            ),
            vec![here],
            vec![lock],
        )
        .suggesting("unlock a lock once for each time it was locked"),
        Holder::Other => {
            let owner = table::find(address).and_then(|object| object.owner());
            let owner = owner.filter(|owner| *owner != me.number);
            taking::handed_over(address);
            let holder = owner.map_or("another thread".into(), in_a_sentence);
            let mut finding = LockFinding::new(
                Trouble::UnlockByOther,
                format!(
                    "{who} unlocks {{0}}, which {holder} holds. That thread goes on as if it were \
                     alone, while others can get the lock."
                ),
                vec![here],
                vec![lock],
            )
            .suggesting("unlock it in the thread that locked it, or use a semaphore to hand over");
            let threads = owner.into_iter().chain([me.number]);
            finding.threads = registry::with_creators(threads);
            finding
        }
    };
    report::lock_finding(&finding);
}

/// Reports the use of a lock that was destroyed; `did` is what the thread does.
/// Only if it is certain that the lock was not made anew since: a mutex says so
/// itself, other locks may have a static initialiser that nobody sees, but
/// hardly in a variable that stays where it is.
#[cold]
fn is_destroyed(me: &Thread, address: usize, pc: usize, kind: Kind, did: &str) -> bool {
    let certain = match kind {
        Kind::Mutex => native::mutex_is_destroyed(address),
        Kind::RwLock | Kind::Spin => is_static(address),
        Kind::Custom => false,
    };
    match record::destroyed_at(address) {
        Some(lock) if certain => {
            used_destroyed(me, lock, pc, did);
            true
        }
        _ => false,
    }
}

fn used_destroyed(me: &Thread, lock: LockId, pc: usize, did: &str) {
    let lock = LockInfo::of(lock);
    let here = part(
        me,
        pc,
        format!("{did} of {{0}} by {}:", thread_name(me.number)),
    );
    let gone = Part {
        said: "{0} was destroyed at:".into(),
        thread: me.number,
        stack: lock.destroyed.clone().unwrap_or_default(),
    };
    let finding = LockFinding::new(
        Trouble::UseDestroyed,
        format!(
            "{} uses {{0}} after it was destroyed and before it was initialised again.",
            subject(me.number)
        ),
        vec![here, gone],
        vec![lock],
    )
    .suggesting("destroy a lock only when no thread will use it any more");
    report::lock_finding(&finding);
}

/// Does `address` lie in a variable that the program has from start to end?
fn is_static(address: usize) -> bool {
    struct Search {
        address: usize,
        found: bool,
    }
    unsafe extern "C" fn look(
        info: *mut libc::dl_phdr_info,
        _size: usize,
        search: *mut libc::c_void,
    ) -> libc::c_int {
        // SAFETY: the loader passes a valid description, and our search.
        unsafe {
            let search = &mut *search.cast::<Search>();
            let headers =
                core::slice::from_raw_parts((*info).dlpi_phdr, (*info).dlpi_phnum as usize);
            search.found |= headers
                .iter()
                .filter(|header| header.p_type == libc::PT_LOAD)
                .any(|header| {
                    let start = ((*info).dlpi_addr + header.p_vaddr) as usize;
                    (start..start + header.p_memsz as usize).contains(&search.address)
                });
            libc::c_int::from(search.found)
        }
    }
    let mut search = Search {
        address,
        found: false,
    };
    // SAFETY: the callback matches what it is given.
    unsafe { crate::loaded::walk(look, (&raw mut search).cast()) };
    search.found
}

/// libc refused to lock, with `EINVAL`.
#[cold]
pub fn lock_refused(me: &Thread, address: usize, pc: usize, kind: Kind) {
    is_destroyed(me, address, pc, kind, "Lock");
}

/// A lock without identity was locked: was it destroyed?
#[cold]
pub(super) fn first_use(me: &Thread, address: usize, pc: usize, kind: Kind) {
    if kind != Kind::Mutex {
        is_destroyed(me, address, pc, kind, "Lock");
    }
}

/// The thread is about to destroy a lock. Is there nothing wrong with that as
/// far as the lock itself knows?
pub fn destroying(me: &Thread, address: usize, pc: usize, kind: Kind) -> bool {
    if is_destroyed(me, address, pc, kind, "Destruction") || taking::is_permanent(address) {
        return false;
    }
    let object = table::find(address).filter(|object| object.lock_id().is_some());
    let Some(object) = object else { return false };
    let owner = object.owner();
    let locked = match kind {
        Kind::Mutex => native::mutex_holder(address) != Holder::Nobody,
        Kind::RwLock => native::rwlock_holder(address) != Holder::Nobody,
        Kind::Spin => !native::spin_is_free(address),
        Kind::Custom => owner.is_some(),
    };
    if !locked {
        return true;
    }
    if !options::get().report_destroy_locked {
        return false;
    }
    let here = part(
        me,
        pc,
        format!("Destruction of {{0}} by {}:", thread_name(me.number)),
    );
    let mut parts = vec![here];
    parts.extend(me.held.find(address).map(|held| taken(held, me.number, 0)));
    let holder = match owner {
        Some(owner) if owner == me.number => "it holds itself".into(),
        Some(owner) => format!("{} holds", in_a_sentence(owner)),
        None => "a thread holds".into(),
    };
    let mut finding = LockFinding::new(
        Trouble::DestroyLocked,
        format!("{} destroys {{0}}, which {holder}.", subject(me.number)),
        parts,
        vec![LockInfo::find(address, kind)],
    )
    .suggesting("unlock it before it is destroyed");
    finding.threads = registry::with_creators(owner.into_iter().chain([me.number]));
    report::lock_finding(&finding);
    false
}

/// The thread waits on the condition variable at `condvar` with a mutex that
/// it does not hold.
#[cold]
pub fn waiting_unlocked(me: &Thread, condvar: usize, mutex: usize, pc: usize) {
    if is_destroyed(me, mutex, pc, Kind::Mutex, "Wait with") {
        return;
    }
    let state = match native::mutex_holder(mutex) {
        Holder::Me => return,
        _ if native::relock(mutex) == Relock::Fails => return,
        Holder::Nobody => "no thread holds",
        Holder::Other => "another thread holds",
    };
    let who = subject(me.number);
    let here = part(
        me,
        pc,
        format!("Wait on {{1}} with {{0}} by {}:", thread_name(me.number)),
    );
    let finding = LockFinding::new(
        Trouble::WaitUnlocked,
        format!(
            "{who} waits on {{1}} with {{0}}, which {state}. A signal between the check of the \
             condition and the wait is lost."
        ),
        vec![here],
        vec![
            LockInfo::find(mutex, Kind::Mutex),
            LockInfo::at(condvar, "condition variable"),
        ],
    )
    .suggesting("lock the mutex before the condition is checked and until the wait has returned");
    report::lock_finding(&finding);
}

/// The thread ends: reports the locks that it still holds. A robust mutex tells
/// its next owner; what libc knows to be free was unlocked by code unseen.
pub fn thread_ending(me: &mut Thread) {
    for held in me.held.take_all() {
        let address = held.address;
        let kind = super::describe(held.lock).kind;
        let object = table::find(address);
        let current = object.is_some_and(|object| {
            let mine = held.mode == Mode::Read || object.owner() == Some(me.number);
            mine && object.lock_id() == Some(held.lock)
        });
        let still = current
            && match kind {
                Kind::Mutex => {
                    native::mutex_holder(address) == Holder::Me && !native::mutex_is_robust(address)
                }
                Kind::RwLock => native::rwlock_holder(address) != Holder::Nobody,
                Kind::Spin => !native::spin_is_free(address),
                Kind::Custom => true,
            };
        if still {
            left_locked(me, &held);
        }
    }
}

fn left_locked(me: &Thread, held: &Held) {
    let lock = LockInfo::of(held.lock);
    let finding = LockFinding::new(
        Trouble::EndLocked,
        format!(
            "{} has ended and still holds {{0}}: nobody can unlock it any more, and whoever \
             locks it waits for ever.",
            subject(me.number)
        ),
        vec![taken(held, me.number, 0)],
        vec![lock],
    )
    .suggesting("unlock it on every way out of the thread");
    report::lock_finding(&finding);
}

/// The thread locks a lock for writing that it holds already: as long as it
/// waits, which is for ever, it cannot unlock.
pub(super) fn relocked(me: &Thread, held: &Held, pc: usize, trouble: Trouble) -> LockFinding {
    let lock = LockInfo::of(held.lock);
    let who = subject(me.number);
    let (message, what) = match trouble {
        Trouble::Upgrade => (
            format!(
                "{who} waits to hold {{0}} for writing and holds it for reading: it waits for \
                 itself, for ever."
            ),
            "unlock it before it is locked for writing, or lock it for writing from the start",
        ),
        _ => (
            format!("{who} waits for {{0}}, which it holds itself: it waits for ever."),
            "lock it once, or make it recursive",
        ),
    };
    let here = part(
        me,
        pc,
        format!("Lock of {{0}} by {}:", thread_name(me.number)),
    );
    LockFinding::new(
        trouble,
        message,
        vec![here, taken(held, me.number, 0)],
        vec![lock],
    )
    .suggesting(what)
}

/// Annotations say that the thread has got the lock at `address`, and that
/// thread `owner` has it for itself.
#[cold]
pub(super) fn taken_from(me: &Thread, owner: u32, address: usize, pc: usize) {
    if !registry::describe(owner).is_some_and(|owner| owner.running) {
        return;
    }
    let holder = match owner == me.number {
        true => "it holds itself".into(),
        false => format!("{} holds", in_a_sentence(owner)),
    };
    let here = part(
        me,
        pc,
        format!("Lock of {{0}} by {}:", thread_name(me.number)),
    );
    let mut parts = vec![here];
    parts.extend(me.held.find(address).map(|held| taken(held, me.number, 0)));
    let mut finding = LockFinding::new(
        Trouble::DoubleLock,
        format!(
            "{} says that it has got {{0}}, which {holder} for writing: either the lock or its \
             annotations are wrong.",
            subject(me.number)
        ),
        parts,
        vec![LockInfo::find(address, Kind::Custom)],
    );
    finding.threads = registry::with_creators([owner, me.number].into_iter());
    report::lock_finding(&finding);
}

/// Annotations say that the thread unlocks a lock that it holds in `mode`, as
/// if it held it the other way.
#[cold]
pub fn unlock_in_wrong_mode(me: &Thread, address: usize, pc: usize, mode: Mode) {
    let (how, other) = match mode {
        Mode::Read => ("reading", "writing"),
        Mode::Write => ("writing", "reading"),
    };
    let who = subject(me.number);
    let here = part(
        me,
        pc,
        format!("Unlock of {{0}} by {}:", thread_name(me.number)),
    );
    let mut parts = vec![here];
    parts.extend(me.held.find(address).map(|held| taken(held, me.number, 0)));
    let finding = LockFinding::new(
        Trouble::WrongMode,
        format!("{who} unlocks {{0}} as if held for {other}, and holds it for {how}."),
        parts,
        vec![LockInfo::find(address, Kind::Custom)],
    );
    report::lock_finding(&finding);
}

/// Annotations say that the thread unlocks a lock that nobody holds.
#[cold]
pub fn custom_unlocked(me: &Thread, address: usize, pc: usize) {
    if me.held.has_ignored() {
        return;
    }
    let lock = LockInfo::find(address, Kind::Custom);
    let here = part(
        me,
        pc,
        format!("Unlock of {{0}} by {}:", thread_name(me.number)),
    );
    let finding = LockFinding::new(
        Trouble::UnlockUnlocked,
        format!(
            "{} unlocks {{0}}, which no thread holds.",
            subject(me.number)
        ),
        vec![here],
        vec![lock],
    );
    report::lock_finding(&finding);
}

/// The thread says that it holds no lock here: reports those that it does.
pub fn none_expected(me: &Thread, pc: usize) {
    let Some(last) = me.held.all().last() else {
        return;
    };
    let here = part(
        me,
        pc,
        format!("Check by {} that it holds no lock:", thread_name(me.number)),
    );
    let finding = LockFinding::new(
        Trouble::NoneExpected,
        format!(
            "{} says that it holds no lock at this point, and holds {{0}}.",
            subject(me.number)
        ),
        vec![here, taken(last, me.number, 0)],
        vec![LockInfo::of(last.lock)],
    );
    report::lock_finding(&finding);
}

/// A read-write lock refused to be locked by the thread that holds it.
#[cold]
pub fn relock_refused(me: &Thread, address: usize, pc: usize) {
    let Some(held) = me.held.find(address) else {
        return;
    };
    let lock = LockInfo::of(held.lock);
    let here = part(
        me,
        pc,
        format!("Lock of {{0}} by {}:", thread_name(me.number)),
    );
    let finding = LockFinding::new(
        Trouble::DoubleLock,
        format!(
            "{} locks {{0}}, which it holds for writing already; the call failed.",
            subject(me.number)
        ),
        vec![here, taken(held, me.number, 0)],
        vec![lock],
    )
    .suggesting("lock it once");
    report::lock_finding(&finding);
}

/// What is destroyed or initialised while threads wait at it, at `address`.
pub(crate) fn in_use(
    me: &Thread,
    trouble: Trouble,
    address: usize,
    noun: &'static str,
    pc: usize,
    waiters: &[(u32, u32)],
) {
    let did = match trouble {
        Trouble::BarrierReinitialised => ("initialises", "Initialisation"),
        _ => ("destroys", "Destruction"),
    };
    let here = part(
        me,
        pc,
        format!("{} of {{0}} by {}:", did.1, thread_name(me.number)),
    );
    let waiting = waiters.iter().map(|(thread, stack)| Part {
        said: format!("{} waits at:", capital(&thread_name(*thread))),
        thread: *thread,
        stack: stack::resolve(*stack),
    });
    let parts: Vec<Part> = [here].into_iter().chain(waiting).collect();
    let finding = LockFinding::new(
        trouble,
        format!(
            "{} {} {{0}} while {} there: {} may wait for ever.",
            subject(me.number),
            did.0,
            match waiters {
                [(one, _)] => format!("{} waits", in_a_sentence(*one)),
                _ => format!("{} threads wait", waiters.len()),
            },
            if waiters.len() == 1 { "it" } else { "they" },
        ),
        parts,
        vec![LockInfo::at(address, noun)],
    )
    .suggesting("wait until all threads have left it");
    report::lock_finding(&finding);
}

/// Two threads wait on one condition variable with different mutexes.
pub(super) fn two_mutexes(
    me: &Thread,
    condvar: usize,
    mutexes: [usize; 2],
    pc: usize,
    other: (u32, u32),
) {
    let here = part(
        me,
        pc,
        format!("Wait on {{2}} with {{0}} by {}:", thread_name(me.number)),
    );
    let there = Part {
        said: format!("Wait on {{2}} with {{1}} by {}:", thread_name(other.0)),
        thread: other.0,
        stack: stack::resolve(other.1),
    };
    let finding = LockFinding::new(
        Trouble::WaitTwoMutexes,
        format!(
            "{} waits on {{2}} with {{0}}, while {} waits on it with {{1}}: neither mutex \
             guards the condition.",
            subject(me.number),
            in_a_sentence(other.0)
        ),
        vec![here, there],
        vec![
            LockInfo::find(mutexes[0], Kind::Mutex),
            LockInfo::find(mutexes[1], Kind::Mutex),
            LockInfo::at(condvar, "condition variable"),
        ],
    )
    .suggesting("use one mutex with the condition variable");
    report::lock_finding(&finding);
}
