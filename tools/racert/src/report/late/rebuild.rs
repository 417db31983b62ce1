//! From a record back to the finding it was made from.

use racert_records::finding::{
    Access, Finding, Handover, HeldLock, LastLock, LastSync, Place, ThreadInfo,
};
use racert_records::lock::finding::{LockFinding, LockInfo, Part};
use racert_records::lock::{Description, Kind as LockKind, LockId};
use racert_records::report::{self, notice::Notice};

use super::super::model;
use super::addresses::{Addresses, hex};

/// A finding as the runtime has it.
pub(super) enum Rebuilt<'a> {
    Race(Box<Finding>),
    Locks(Box<LockFinding>),
    Notice(Box<(Notice<'a>, Vec<ThreadInfo>)>),
}

/// What `record` was made from; `None` if this version does not know its kind.
pub(super) fn finding<'a>(
    record: &'a model::Finding,
    addresses: &mut Addresses<'_>,
) -> Option<Rebuilt<'a>> {
    if !locks_are_there(record) {
        return None;
    }
    if let Some(kind) = report::kind(&record.kind) {
        let [first, second] = &record.accesses[..] else {
            return None;
        };
        let accesses = [access(first, addresses)?, access(second, addresses)?];
        let address = accesses[0].address.max(accesses[1].address);
        return Some(Rebuilt::Race(Box::new(Finding {
            kind,
            accesses,
            place: place(&record.place, address, addresses),
            threads: threads(record, addresses),
            locks: locks(record, addresses)?,
            handovers: handovers(record, addresses),
        })));
    }
    let Some(trouble) = report::trouble(&record.kind) else {
        return notice(record, addresses);
    };
    let parts = record.accesses.iter().map(|access| Part {
        said: template(access.message.as_deref().unwrap_or(""), &record.locks),
        thread: access.thread,
        stack: addresses.stack(&access.stack),
    });
    let parts = parts.collect();
    Some(Rebuilt::Locks(Box::new(LockFinding {
        trouble,
        message: template(&record.message, &record.locks),
        suggestion: record
            .suggestion
            .as_ref()
            .map(|text| template(text, &record.locks)),
        parts,
        locks: locks(record, addresses)?,
        threads: threads(record, addresses),
    })))
}

/// One sentence and one stack.
fn notice<'a>(record: &'a model::Finding, addresses: &mut Addresses<'_>) -> Option<Rebuilt<'a>> {
    let [call] = &record.accesses[..] else {
        return None;
    };
    if record.place.kind != "none" {
        return None;
    }
    let notice = Notice {
        id: permanent(&record.kind),
        title: &record.title,
        said: call.message.as_deref()?,
        thread: call.thread,
        stack: addresses.stack(&call.stack),
        suggestion: record.suggestion.as_deref().map(permanent),
    };
    let threads = threads(record, addresses);
    Some(Rebuilt::Notice(Box::new((notice, threads))))
}

/// Does every number of a lock stand for one? Whoever edits records may have
/// left some out.
fn locks_are_there(record: &model::Finding) -> bool {
    let held = record.accesses.iter().flat_map(|access| &access.locks);
    let held = held.map(|held| held.lock);
    let mut all = held.chain(record.ordered_by.iter().map(|step| step.lock));
    all.all(|lock| lock < record.locks.len())
}

fn access(access: &model::Access, addresses: &mut Addresses<'_>) -> Option<Access> {
    let held = access.locks.iter().map(|held| HeldLock {
        lock: held.lock,
        write: held.mode != "read",
        taken: addresses.stack(&held.taken),
    });
    let held: Vec<HeldLock> = held.collect();
    Some(Access {
        operation: report::operation(&access.operation)?,
        address: hex(&access.address)?,
        size: access.size,
        thread: access.thread,
        stack: addresses.stack(&access.stack),
        locks: (access.locks_known != Some(false)).then_some(held),
        last_lock: access.last_lock.as_ref().map(|last| LastLock {
            lock: last.lock,
            released: last.released,
            stack: addresses.stack(&last.stack),
        }),
        last_sync: access
            .last_sync
            .as_ref()
            .and_then(|last| last_sync(last, addresses)),
    })
}

fn last_sync(last: &model::LastSync, addresses: &mut Addresses<'_>) -> Option<LastSync> {
    Some(LastSync {
        act: report::act(&last.act)?,
        object: last.object,
        thread: last.thread,
        descriptor: last.descriptor,
        stack: addresses.stack(&last.stack),
    })
}

fn handovers(record: &model::Finding, addresses: &mut Addresses<'_>) -> Vec<Handover> {
    let steps = record.ordered_by.iter().map(|step| Handover {
        lock: step.lock,
        from: step.released_by,
        to: step.taken_by,
        taken: addresses.stack(&step.taken),
    });
    steps.collect()
}

fn threads(record: &model::Finding, addresses: &mut Addresses<'_>) -> Vec<ThreadInfo> {
    let threads = record.threads.iter().map(|thread| ThreadInfo {
        number: thread.number,
        os_id: thread.os_id,
        name: thread.name.clone(),
        running: thread.running,
        created: thread
            .created
            .as_ref()
            .map(|created| (created.by, addresses.stack(&created.stack))),
    });
    threads.collect()
}

fn locks(record: &model::Finding, addresses: &mut Addresses<'_>) -> Option<Vec<LockInfo>> {
    let locks = record.locks.iter();
    locks.map(|lock| self::lock(lock, addresses)).collect()
}

fn lock(lock: &model::Lock, addresses: &mut Addresses<'_>) -> Option<LockInfo> {
    let address = hex(&lock.address)?;
    let created = lock.created.as_ref();
    let description = created.map(|created| {
        Some(Description {
            id: LockId::new(1)?,
            address: usize::try_from(address).ok()?,
            kind: LockKind::Mutex,
            initialised: !created.first_use,
            stack: 0,
            thread: created.by,
            destroyed: 0,
        })
    });
    Some(LockInfo {
        lock: description.flatten(),
        noun: permanent(&lock.kind),
        address,
        place: place(&lock.place, address, addresses),
        created: created.map_or_else(Default::default, |created| addresses.stack(&created.stack)),
        destroyed: None,
    })
}

/// The memory; `address` is the byte in question.
fn place(place: &model::Place, address: u64, addresses: &mut Addresses<'_>) -> Place {
    let thread = place.thread.unwrap_or(0);
    match place.kind.as_str() {
        "heap" => Place::Heap {
            start: hex(&place.address).unwrap_or(address),
            size: place.size.unwrap_or(0),
            thread,
            stack: place
                .stack
                .as_ref()
                .map_or_else(Default::default, |stack| addresses.stack(stack)),
            freed: place.freed.unwrap_or(false),
        },
        "stack" => {
            addresses.memory(address, place);
            Place::ThreadStack { thread }
        }
        "thread-local" => {
            addresses.memory(address, place);
            let pointer = place.thread_pointer.as_deref().and_then(hex);
            Place::ThreadLocal {
                thread,
                // A name that the record has is found without.
                thread_pointer: pointer.or(place.name.as_ref().map(|_| 0)),
            }
        }
        "library" => Place::StaticBuffer {
            name: permanent(place.name.as_deref().unwrap_or("memory")),
        },
        "descriptor" => Place::Descriptor {
            number: place.number.unwrap_or(0),
        },
        _ => {
            addresses.memory(address, place);
            Place::Other
        }
    }
}

/// `text` with `{0}`, `{1}` and so on for the names of `locks`.
fn template(text: &str, locks: &[model::Lock]) -> String {
    let mut text = text.to_owned();
    // `M10` before `M1`.
    for (i, lock) in locks.iter().enumerate().rev() {
        let slot = format!("{{{i}}}");
        let begins = super::super::text::capitalised(&lock.name);
        if let Some(rest) = text.strip_prefix(&begins) {
            text = format!("{slot}{rest}");
        }
        text = text.replace(&lock.name, &slot);
    }
    text
}

/// The few nouns of records as the runtime has them: for good.
fn permanent(text: &str) -> &'static str {
    use std::collections::HashSet;
    use std::sync::Mutex;
    static KNOWN: Mutex<Option<HashSet<&'static str>>> = Mutex::new(None);
    let mut known = KNOWN.lock().expect("nothing panics under it");
    let known = known.get_or_insert_default();
    match known.get(text) {
        Some(same) => same,
        None => {
            let kept: &'static str = Box::leak(text.to_owned().into_boxed_str());
            known.insert(kept);
            kept
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::sample;
    use super::*;

    #[test]
    fn names_of_locks_become_slots_again() {
        let lock = |name: &str| model::Lock {
            kind: "mutex".to_owned(),
            name: name.to_owned(),
            address: "0x10".to_owned(),
            place: sample("a").place,
            created: None,
        };
        let locks: Vec<_> = (1..=10).map(|i| lock(&format!("mutex M{i}"))).collect();
        assert_eq!(
            template(
                "Mutex M1 is taken while mutex M10 is held, then mutex M2",
                &locks
            ),
            "{0} is taken while {9} is held, then {1}"
        );
    }
}
