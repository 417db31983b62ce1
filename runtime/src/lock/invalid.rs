//! Uses that only a mistake explains: calls that libc refuses because of what
//! they were given, and memory that goes away with a held lock in it.

use super::finding::{LockFinding, LockInfo, Part, Trouble};
use super::misuse::{part, subject, taken};
use super::native::{self, Holder};
use super::{Kind, describe};
use crate::report::{self, in_a_sentence, thread_name};
use crate::sync::table::SyncObject;
use crate::thread::Thread;
use crate::{options, thread};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

/// A call that libc refused.
#[derive(Clone, Copy, Debug)]
pub struct Refused {
    /// What was called.
    pub function: &'static str,
    /// What it was called for.
    pub noun: &'static str,
    /// Where that is.
    pub address: usize,
    /// Where the call was made.
    pub pc: usize,
    /// What is wrong, as a sentence without full stop.
    pub why: &'static str,
}

/// Reports a call that libc refused. The thread has entered the runtime.
#[cold]
pub fn refused(call: &Refused) {
    let Some(me) = thread::listening() else {
        return;
    };
    let Refused { function, why, .. } = call;
    let here = part(
        me,
        call.pc,
        format!("Call of {function} by {}:", thread_name(me.number)),
    );
    let finding = LockFinding::new(
        Trouble::Refused,
        format!(
            "{} calls {function} for {{0}}, which fails: {why}.",
            subject(me.number)
        ),
        vec![here],
        vec![LockInfo::at(call.address, call.noun)],
    );
    report::lock_finding(&finding);
}

/// The condition variable at `condvar` is used by a call at `pc`: reports it if
/// nobody has initialised it. The thread has entered the runtime.
pub fn using_condvar(condvar: usize, pc: usize) {
    if !native::condvar_is_initialised(condvar)
        && let Some(me) = thread::listening()
    {
        uninitialised(me, condvar, pc);
    }
}

#[cold]
fn uninitialised(me: &Thread, condvar: usize, pc: usize) {
    let here = part(
        me,
        pc,
        format!("Use of {{0}} by {}:", thread_name(me.number)),
    );
    let finding = LockFinding::new(
        Trouble::Uninitialised,
        format!(
            "{} uses {{0}}, on which nobody has waited yet, but which does not look as \
             pthread_cond_init and PTHREAD_COND_INITIALIZER make one.",
            subject(me.number)
        ),
        vec![here],
        vec![LockInfo::at(condvar, "condition variable")],
    )
    .suggesting("initialise it before its first use, and let nothing else write to it");
    report::lock_finding(&finding);
}

/// The memory that `object` is in is freed by a call at `pc`: reports a lock
/// that is held, unless it is another process's, too.
pub fn freeing(object: &SyncObject, address: usize, pc: usize) {
    let (Some(lock), Some(owner)) = (object.lock_id(), object.owner()) else {
        return;
    };
    let held = match describe(lock).kind {
        Kind::Mutex => {
            native::mutex_holder(address) != Holder::Nobody && !native::mutex_is_shared(address)
        }
        Kind::RwLock => {
            native::rwlock_holder(address) != Holder::Nobody && !native::rwlock_is_shared(address)
        }
        Kind::Spin => !native::spin_is_free(address),
        // Nobody has to say that such a lock is given back.
        Kind::Custom => false,
    };
    if held
        && options::get().report_destroy_locked
        && let Some(me) = thread::listening()
    {
        freed(me, LockInfo::of(lock), owner, address, pc);
    }
}

#[cold]
fn freed(me: &Thread, lock: LockInfo, owner: u32, address: usize, pc: usize) {
    let here = part(
        me,
        pc,
        format!("Free of the memory of {{0}} by {}:", thread_name(me.number)),
    );
    let at = me.held.find(address).map(|held| taken(held, me.number, 0));
    let parts: Vec<Part> = [here].into_iter().chain(at).collect();
    let holder = match owner == me.number {
        true => "it holds itself".into(),
        false => format!("{} holds", in_a_sentence(owner)),
    };
    let finding = LockFinding::new(
        Trouble::FreeLocked,
        format!(
            "{} frees the memory of {{0}}, which {holder}.",
            subject(me.number)
        ),
        parts,
        vec![lock],
    )
    .suggesting("unlock it before its memory is freed");
    report::lock_finding(&finding);
}
