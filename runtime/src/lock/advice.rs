//! Uses of condition variables that work most of the time.
//!
//! What is said here is no finding: nothing went wrong in this run, and the
//! exit status stays as it is.

use super::condvar::Woken;
use super::finding::{LockFinding, LockInfo, Part, Trouble};
use super::misuse::{part, subject};
use super::{Kind, LockId};
use crate::engine::writers::Writer;
use crate::report::{self, in_a_sentence, thread_name};
use crate::sync::table;
use crate::thread::Thread;
use crate::{options, slot, spans, stack};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

/// The thread waits on `condvar`, by a call near `pc`, where the condition is
/// not looked at again afterwards.
#[cold]
pub fn waits_outside_loop(me: &Thread, condvar: usize, mutex: usize, pc: usize) {
    let here = part(
        me,
        pc,
        format!("Wait on {{0}} by {}:", thread_name(me.number)),
    );
    let finding = LockFinding::new(
        Trouble::WaitOutsideLoop,
        format!(
            "{} waits on {{0}} outside a loop and goes on without another look at the condition. \
             A wait may return without a signal, or after another thread has made the condition \
             false again; and if the condition held before, the signal has been and is waited \
             for in vain.",
            subject(me.number)
        ),
        vec![here],
        vec![
            LockInfo::at(condvar, "condition variable"),
            LockInfo::find(mutex, Kind::Mutex),
        ],
    )
    .suggesting("wait in a loop: while the condition does not hold, wait");
    report::lock_finding(&finding);
}

/// `me` has waited until `woken` and then found its condition true, which
/// `writers` have written last: did any of them do so without the mutex, and
/// was it not held until the signal either?
pub fn changed(me: &Thread, woken: &Woken, writers: &[Writer]) {
    if woken.by.is_locked || !options::get().advice {
        return;
    }
    let object = table::find(woken.mutex);
    let Some(lock) = object.and_then(|object| object.lock_id()) else {
        return;
    };
    // What was known before the wait did not end it.
    let new = writers.iter().filter(|writer| !was_known(me, writer));
    let writers: &[Writer] = &new.copied().collect::<Vec<Writer>>();
    let whose = |writer: &Writer| slot::thread_at(writer.slot, writer.entry.pos);
    let by_signaller = |writer: &&Writer| {
        whose(writer) == Some(woken.by.thread)
            && writer.slot == woken.by.slot
            && writer.entry.pos < woken.by.end
    };
    let of_signaller = writers.iter().filter(by_signaller);
    if let Some(last) = of_signaller.max_by_key(|writer| writer.entry.pos) {
        if is_unlocked(last, lock, woken.by.end) {
            advise(me, woken, last, woken.by.thread);
        }
        return;
    }
    let never = spans::held_within(woken.by.slot, lock, 0, woken.by.end) == Some(false);
    let unlocked = |writer: &&Writer| is_unlocked(writer, lock, u64::MAX);
    if never
        && let [only] = writers
        && unlocked(&only)
        && let Some(thread) = whose(only)
        && thread != me.number
    {
        advise(me, woken, only, thread);
    }
}

/// Whether `me`, which has just been woken, was ordered after the write when it
/// began to wait.
fn was_known(me: &Thread, writer: &Writer) -> bool {
    let mine = me.recorder.slot();
    let now = spans::last_event(mine, me.recorder.log.end());
    let before = now.and_then(|now| spans::known(mine, now.start.checked_sub(1)?));
    before.is_none_or(|before| writer.entry.pos < spans::halves(&before, writer.slot).1)
}

/// Whether the thread did not hold the lock when it wrote, nor after that until
/// `end`.
fn is_unlocked(writer: &Writer, lock: LockId, end: u64) -> bool {
    spans::held_within(writer.slot, lock, writer.entry.pos, end) == Some(false)
}

#[cold]
fn advise(me: &Thread, woken: &Woken, writer: &Writer, thread: u32) {
    let signaller = woken.by.thread;
    let signal = Part {
        said: format!("Signal of {{0}} by {}:", thread_name(signaller)),
        thread: signaller,
        stack: stack::resolve(woken.by.at.stack()),
    };
    let change = Part {
        said: format!("The condition was changed by {} at:", thread_name(thread)),
        thread,
        stack: stack::resolve(writer.entry.stack),
    };
    let wait = Part {
        said: format!("{} waited for it at:", subject(me.number)),
        thread: me.number,
        stack: stack::resolve(woken.stack),
    };
    let (trouble, did) = if thread == signaller {
        (
            Trouble::SignalUnlocked,
            format!(
                "{} changes a condition without {{1}}, and signals {{0}} without having held it \
                 meanwhile.",
                subject(thread)
            ),
        )
    } else {
        (
            Trouble::ConditionUnlocked,
            format!(
                "{} changes a condition without {{1}}, and {}, which has never held it either, \
                 signals {{0}}.",
                subject(thread),
                in_a_sentence(signaller)
            ),
        )
    };
    let parts = match trouble {
        Trouble::SignalUnlocked => vec![signal, change, wait],
        _ => vec![change, signal, wait],
    };
    let finding = LockFinding::new(
        trouble,
        format!(
            "{did} A thread that has looked at the condition and is about to wait misses the \
             signal, and may wait for ever."
        ),
        parts,
        vec![
            LockInfo::at(woken.condvar, "condition variable"),
            LockInfo::find(woken.mutex, Kind::Mutex),
        ],
    )
    .suggesting("hold {1} while the condition is changed, also if it is atomic");
    report::lock_finding(&finding);
}
