//! What is wrong with the use of locks, before anybody put names to it.

use super::Description;
use crate::finding::{Place, Stack, ThreadInfo};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// What kind of thing was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Trouble {
    /// Threads take locks in orders that can make each wait for the next.
    OrderInversion,
    /// They do.
    Deadlock,
    /// A lock that nobody holds is unlocked.
    UnlockUnlocked,
    /// A lock is unlocked by a thread that does not hold it.
    UnlockByOther,
    /// A thread waits for a lock that it holds itself.
    DoubleLock,
    /// A thread that reads under a lock waits to write under it.
    Upgrade,
    /// A lock held one way is unlocked as if held the other way.
    WrongMode,
    /// A lock is destroyed while held.
    DestroyLocked,
    /// A lock is used after its destruction.
    UseDestroyed,
    /// A thread waits on a condition variable with a mutex it does not hold.
    WaitUnlocked,
    /// Threads wait on a condition variable with different mutexes.
    WaitTwoMutexes,
    /// A thread ends with a lock held.
    EndLocked,
    /// A thread holds a lock where it says that it holds none.
    NoneExpected,
    /// A condition variable is destroyed while threads wait on it.
    CondvarDestroyed,
    /// A barrier is destroyed while threads wait at it.
    BarrierDestroyed,
    /// A barrier is initialised while threads wait at it.
    BarrierReinitialised,
    /// libc refuses a call because of what it was given.
    Refused,
    /// The memory of a lock is freed while the lock is held.
    FreeLocked,
    /// What is used has never been initialised.
    Uninitialised,
    /// Threads wait on a condition variable, and nobody is left to signal.
    LostWakeup,
    /// A wait whose condition is not checked again afterwards.
    WaitOutsideLoop,
    /// A condition is changed and signalled without its mutex.
    SignalUnlocked,
    /// A condition is changed without its mutex, and another thread signals.
    ConditionUnlocked,
}

impl Trouble {
    /// In the first and the last line of a report; `noun` is what the lock is.
    pub fn title(self, noun: &str) -> String {
        match self {
            Trouble::OrderInversion => "lock-order inversion (potential deadlock)".into(),
            Trouble::Deadlock => "deadlock".into(),
            Trouble::UnlockUnlocked => format!("unlock of an unlocked {noun}"),
            Trouble::UnlockByOther => {
                format!("unlock of a {noun} by a thread that does not hold it")
            }
            Trouble::DoubleLock => format!("double lock of a {noun}"),
            Trouble::Upgrade => format!("read lock of a {noun} upgraded to a write lock"),
            Trouble::WrongMode => format!("unlock of a {noun} in the wrong mode"),
            Trouble::DestroyLocked => format!("destroy of a locked {noun}"),
            Trouble::UseDestroyed => format!("use of a destroyed {noun}"),
            Trouble::WaitUnlocked => "wait on a condition variable with a mutex not held".into(),
            Trouble::WaitTwoMutexes => "wait on a condition variable with two mutexes".into(),
            Trouble::EndLocked => format!("thread ends with a locked {noun}"),
            Trouble::NoneExpected => format!("{noun} held where none should be"),
            Trouble::CondvarDestroyed => "destroy of a condition variable with waiters".into(),
            Trouble::BarrierDestroyed => "destroy of a barrier with waiters".into(),
            Trouble::BarrierReinitialised => "initialisation of a barrier with waiters".into(),
            Trouble::Refused => format!("invalid use of a {noun}"),
            Trouble::FreeLocked => format!("free of a locked {noun}"),
            Trouble::Uninitialised => format!("use of a {noun} that is not initialised"),
            Trouble::LostWakeup => "lost wake-up".into(),
            Trouble::WaitOutsideLoop => "wait on a condition variable outside a loop".into(),
            Trouble::SignalUnlocked => "signal of a condition variable without its mutex".into(),
            Trouble::ConditionUnlocked => "condition that is changed without its mutex".into(),
        }
    }

    /// In records and fingerprints: never changes.
    pub fn id(self) -> &'static str {
        match self {
            Trouble::OrderInversion => "lock-order-inversion",
            Trouble::Deadlock => "deadlock",
            Trouble::UnlockUnlocked => "unlock-of-unlocked",
            Trouble::UnlockByOther => "unlock-by-other-thread",
            Trouble::DoubleLock => "double-lock",
            Trouble::Upgrade => "read-lock-upgrade",
            Trouble::WrongMode => "unlock-in-wrong-mode",
            Trouble::DestroyLocked => "destroy-of-locked",
            Trouble::UseDestroyed => "use-of-destroyed-lock",
            Trouble::WaitUnlocked => "wait-without-mutex",
            Trouble::WaitTwoMutexes => "wait-with-two-mutexes",
            Trouble::EndLocked => "thread-end-with-lock",
            Trouble::NoneExpected => "lock-held-in-wrong-context",
            Trouble::CondvarDestroyed => "destroy-of-condition-variable-in-use",
            Trouble::BarrierDestroyed => "destroy-of-barrier-in-use",
            Trouble::BarrierReinitialised => "initialisation-of-barrier-in-use",
            Trouble::Refused => "invalid-use",
            Trouble::FreeLocked => "free-of-locked",
            Trouble::Uninitialised => "use-of-uninitialised",
            Trouble::LostWakeup => "lost-wakeup",
            Trouble::WaitOutsideLoop => "wait-outside-loop",
            Trouble::SignalUnlocked => "signal-without-mutex",
            Trouble::ConditionUnlocked => "condition-without-mutex",
        }
    }

    /// Whether this run proves it, another schedule may show it, or it is only
    /// what one would rather write otherwise.
    pub fn certainty(self) -> &'static str {
        match self {
            Trouble::OrderInversion => "possible",
            Trouble::WaitOutsideLoop | Trouble::SignalUnlocked | Trouble::ConditionUnlocked => {
                "advice"
            }
            _ => "proven",
        }
    }

    /// Whether it is advice, which is printed and does not count.
    pub fn is_advice(self) -> bool {
        self.certainty() == "advice"
    }
}

/// A lock of a finding.
#[derive(Clone, Debug)]
pub struct LockInfo {
    /// What is known of it; `None` for a condition variable or the like.
    pub lock: Option<Description>,
    /// What people call such a thing.
    pub noun: &'static str,
    /// Where it is.
    pub address: u64,
    /// The memory it is in.
    pub place: Place,
    /// Where it was initialised or first used.
    pub created: Stack,
    /// Where it was destroyed.
    pub destroyed: Option<Stack>,
}

/// One stack of a finding.
#[derive(Clone, Debug)]
pub struct Part {
    /// What happened there, ending in a colon. `{0}` is the first lock's name,
    /// and so on.
    pub said: String,
    /// Who did it.
    pub thread: u32,
    /// Where.
    pub stack: Stack,
}

/// A finding about locks.
#[derive(Clone, Debug)]
pub struct LockFinding {
    /// Kind.
    pub trouble: Trouble,
    /// What happened, in one paragraph, with names as in [`Part::said`].
    pub message: String,
    /// What to change.
    pub suggestion: Option<String>,
    /// The stacks; the first is where it came to light.
    pub parts: Vec<Part>,
    /// The locks.
    pub locks: Vec<LockInfo>,
    /// Threads mentioned, and their creators.
    pub threads: Vec<ThreadInfo>,
}

impl LockFinding {
    /// With a suggestion, a sentence without full stop.
    pub fn suggesting(mut self, what: impl Into<String>) -> LockFinding {
        self.suggestion = Some(what.into());
        self
    }

    /// The title of its report.
    pub fn title(&self) -> String {
        let noun = self.locks.first().map_or("lock", |lock| lock.noun);
        self.trouble.title(noun)
    }
}
