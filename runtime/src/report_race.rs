//! From a conflict in the shadow to a finding.

use crate::engine::writers::Writer;
use crate::engine::{self, Conflict, How, Met};
use crate::finding::{
    Access, Act, Finding, Handover, HeldLock, Kind, LastLock, LastSync, Operation, Place,
};
use crate::lock::finding::LockInfo;
use crate::lock::{LockId, Mode};
use crate::lockset::{self, LocksetId};
use crate::log::site::Site;
use crate::report::Spot;
use crate::shadow::word::POS_LIMIT;
use crate::sync::events::{self, Event};
use crate::sync::opaque;
use crate::thread::{Thread, registry};
use crate::{
    annotate, descriptor, handover, intercept, report, rewritten, slot, spans, stack, static_buffer,
};
use alloc::vec::Vec;
use core::ops::Range;

/// The innermost address that is the program's.
fn innermost(site: &Site) -> u64 {
    if intercept::is_stub(site.pc) {
        site.return_address
    } else {
        site.pc
    }
}

/// What it is called if the address is a descriptor's.
fn on_descriptor(mut access: Access) -> Access {
    if descriptor::at_address(access.address as usize).is_some() {
        access.operation = match access.operation {
            Operation::Read | Operation::AtomicRead => Operation::UseDescriptor,
            _ => Operation::ChangeDescriptor,
        };
    }
    access
}

fn operation(write: bool, atomic: bool, free: bool) -> Operation {
    match (free, write, atomic) {
        (true, _, true) => Operation::Allocate,
        (true, _, false) => Operation::Free,
        (_, true, false) => Operation::Write,
        (_, false, false) => Operation::Read,
        (_, true, true) => Operation::AtomicWrite,
        (_, false, true) => Operation::AtomicRead,
    }
}

/// Reports that the access at `site` met an earlier one.
#[cold]
pub(crate) fn report(me: &Thread, addr: usize, size: usize, how: How, site: &Site, met: Met) {
    if annotate::is_meant(shared_bytes(addr, size, &met)) {
        return;
    }
    if met.conflict.is_late && is_in_use(addr) {
        return;
    }
    if met.conflict.is_possible && is_handed_over(me, site, &met) {
        return;
    }
    let earlier = stack::innermost(met.conflict.entry.stack);
    if rewritten::is_own_affair(addr, innermost(site), earlier) {
        return;
    }
    // What libraries without checks do with descriptors of theirs they order in
    // ways that are not seen.
    let is_unseen = |pc: u64| intercept::is_unchecked_library(pc as usize);
    if descriptor::at_address(addr).is_some() && is_unseen(innermost(site)) && is_unseen(earlier) {
        return;
    }
    let kind = kind(me, addr, site, &met);
    report_as(me, kind, (addr, size), how, site, &met);
}

/// The same of an access to an object's vtable pointer.
#[cold]
pub(crate) fn report_vptr(me: &Thread, addr: usize, how: How, site: &Site, met: Met) {
    if annotate::is_meant(shared_bytes(addr, 8, &met)) {
        return;
    }
    if met.conflict.is_possible && is_handed_over(me, site, &met) {
        return;
    }
    let kind = match kind(me, addr, site, &met) {
        Kind::DataRace => Kind::VptrRace,
        other => other,
    };
    report_as(me, kind, (addr, 8), how, site, &met);
}

/// Has a library without checks, whose lock the thread has, handed it over?
fn is_handed_over(me: &Thread, site: &Site, met: &Met) -> bool {
    let stack = stack::intern(site.context, site.pc);
    let Conflict { slot, entry, .. } = met.conflict;
    opaque::comes_before(me, stack, slot, entry.pos)
}

/// Does the memory belong to somebody again, who did not get it from the heap
/// in a way that could be seen?
fn is_in_use(addr: usize) -> bool {
    intercept::find_block(addr).is_some()
        || registry::owner_of_stack(addr).is_some()
        || registry::owner_of_tls(addr).is_some()
}

fn kind(me: &Thread, addr: usize, site: &Site, met: &Met) -> Kind {
    let earlier = met.conflict.entry;
    if met.conflict.is_late {
        Kind::UseAfterFree
    } else if descriptor::at_address(addr).is_some() {
        Kind::DescriptorRace
    } else if met.conflict.is_possible && engine::goes_by_states(&me.recorder) {
        Kind::Unprotected
    } else if met.conflict.is_possible {
        Kind::PossibleRace
    } else if site.free || (earlier.free && !earlier.touch.atomic) {
        Kind::UseAfterFreeRace
    } else {
        Kind::DataRace
    }
}

/// Reports a loop at `site` that waited for a write to `flag`.
#[cold]
pub(crate) fn report_flag(
    me: &Thread,
    kind: Kind,
    flag: (usize, usize),
    site: &Site,
    writer: Writer,
) {
    let met = Met {
        conflict: Conflict {
            slot: writer.slot,
            entry: writer.entry,
            is_possible: false,
            is_late: false,
        },
        granule: writer.granule,
    };
    if !annotate::is_meant(shared_bytes(flag.0, flag.1, &met)) {
        let how = How {
            write: false,
            atomic: kind == Kind::RelaxedSync,
        };
        report_as(me, kind, flag, how, site, &met);
    }
}

/// Below this there is no memory: Linux lets nobody map it
/// (`vm.mmap_min_addr`). Who looks there ends in a signal handler at best, and
/// has neither read nor written anything.
const LOWEST: usize = 1 << 16;

fn report_as(me: &Thread, kind: Kind, at: (usize, usize), how: How, site: &Site, met: &Met) {
    let earlier = met.conflict.entry;
    if met.granule < LOWEST {
        return;
    }
    let now = Spot {
        innermost: innermost(site),
        pc: site.pc,
        context: site.context,
    };
    let (context, pc) = stack::node(earlier.stack);
    let before = Spot {
        innermost: stack::innermost(earlier.stack),
        pc,
        context,
    };
    if report::already_reported(kind, now, before) {
        return;
    }
    let mut finding = gather(me, kind, at, how, site, met);
    finding.threads = threads(&finding);
    report::report(&finding);
    report::remember(kind, now, before);
}

/// The bytes that both accesses touched.
fn shared_bytes(addr: usize, size: usize, met: &Met) -> Range<usize> {
    let bytes = met.conflict.entry.touch.bytes;
    let start = met.granule + bytes.trailing_zeros() as usize;
    let end = met.granule + 8 - bytes.leading_zeros() as usize;
    addr.max(start)..(addr + size).min(end)
}

fn gather(
    me: &Thread,
    kind: Kind,
    span: (usize, usize),
    how: How,
    site: &Site,
    met: &Met,
) -> Finding {
    let earlier = met.conflict.entry;
    let mut locks = Locks::default();
    let now = Access {
        operation: operation(how.write, how.atomic, site.free),
        address: span.0 as u64,
        size: span.1 as u64,
        thread: me.number,
        stack: stack::resolve(stack::intern(site.context, site.pc)),
        locks: Some(held(me, &mut locks)),
        last_lock: None,
        last_sync: None,
    };
    let now = with_last(now, me, me.recorder.slot(), u64::MAX, &mut locks);
    let (first, unit) = met.earlier_bytes(span.0, span.1);
    let before = Access {
        operation: operation(earlier.touch.write, earlier.touch.atomic, earlier.free),
        address: first as u64,
        size: unit as u64,
        thread: thread_at(met.conflict.slot, earlier.pos),
        stack: stack::resolve(earlier.stack),
        locks: held_then(me, met.conflict.slot, earlier.pos, &mut locks),
        last_lock: None,
        last_sync: None,
    };
    let before = with_last(before, me, met.conflict.slot, earlier.pos, &mut locks);
    let handovers = if kind == Kind::PossibleRace {
        handovers(me, met, &mut locks)
    } else {
        Vec::new()
    };
    let freed = site.free || (earlier.free && !earlier.touch.atomic);
    let at = span.0.max(met.granule);
    Finding {
        kind,
        accesses: [now, before].map(on_descriptor),
        place: place(at, freed),
        threads: Vec::new(),
        locks: locks.0,
        handovers,
    }
}

fn thread_at(slot: u16, pos: u64) -> u32 {
    slot::thread_at(slot, pos).unwrap_or(0)
}

/// The locks of a finding, each once, and what else orders threads in it.
#[derive(Default)]
struct Locks(Vec<LockInfo>);

impl Locks {
    /// The place of `lock` in the finding.
    fn index(&mut self, lock: LockId) -> usize {
        let is_it = |info: &LockInfo| info.lock.is_some_and(|known| known.id == lock);
        self.find_or_add(is_it, || LockInfo::of(lock))
    }

    /// The place of another object at `address` in the finding.
    fn index_of_object(&mut self, address: usize, noun: &'static str) -> usize {
        let is_it = |info: &LockInfo| info.noun == noun && info.address == address as u64;
        self.find_or_add(is_it, || LockInfo::at(address, noun))
    }

    fn find_or_add(
        &mut self,
        is_it: impl Fn(&LockInfo) -> bool,
        make: impl FnOnce() -> LockInfo,
    ) -> usize {
        self.0.iter().position(is_it).unwrap_or_else(|| {
            self.0.push(make());
            self.0.len() - 1
        })
    }
}

/// The locks that `me` holds.
fn held(me: &Thread, locks: &mut Locks) -> Vec<HeldLock> {
    let held = me.held.all().iter();
    held.map(|held| HeldLock {
        lock: locks.index(held.lock),
        write: held.mode == Mode::Write,
        taken: stack::resolve(held.at.stack()),
    })
    .collect()
}

/// The locks that `slot` held at `pos`. Only a clock that keeps apart what
/// locks order has that noted.
fn held_then(me: &Thread, slot: u16, pos: u64, locks: &mut Locks) -> Option<Vec<HeldLock>> {
    if !me.recorder.clock.is_hybrid() {
        return None;
    }
    let set = spans::locks_at(slot, pos).filter(|set| *set != LocksetId::UNKNOWN)?;
    let items = lockset::items(set).iter();
    let held = items.filter_map(|item| {
        let lock = item.lock()?;
        let taken = spans::taken_at(slot, pos, lock);
        Some(HeldLock {
            lock: locks.index(lock),
            write: item.mode() == Mode::Write,
            taken: taken.map_or_else(Default::default, |at| stack::resolve(at.stack())),
        })
    });
    Some(held.collect())
}

/// `access`, made by `slot` at `pos`, with what its thread did last before it to
/// be ordered with others.
fn with_last(access: Access, me: &Thread, slot: u16, pos: u64, locks: &mut Locks) -> Access {
    if !me.recorder.clock.is_hybrid() {
        return access;
    }
    // A slot goes on with another thread.
    let thread = thread_at(slot, pos.min(POS_LIMIT - 1));
    let lock = spans::last_event(slot, pos).filter(|e| thread_at(slot, e.start) == thread);
    let sync = events::last(slot, pos).filter(|e| thread_at(slot, e.first) == thread);
    let (lock, sync) = match (lock, sync) {
        (Some(lock), Some(sync)) if sync.first > lock.start => (None, Some(sync)),
        (Some(lock), Some(sync)) if lock.start > sync.latest => (Some(lock), None),
        both => both,
    };
    Access {
        last_lock: lock.map(|event| LastLock {
            lock: locks.index(event.lock),
            released: event.released,
            stack: stack::resolve(event.at.stack()),
        }),
        last_sync: sync.map(|event| last_sync(&event, locks)),
        ..access
    }
}

fn last_sync(event: &Event, locks: &mut Locks) -> LastSync {
    let thread = match event.act {
        Act::ThreadCreate | Act::ThreadJoin => Some(event.object as u32),
        _ => None,
    };
    let noun = event.act.noun();
    LastSync {
        act: event.act,
        object: noun.map(|noun| locks.index_of_object(event.object as usize, noun)),
        thread,
        descriptor: matches!(event.act, Act::Send | Act::Receive).then_some(event.object as u32),
        stack: stack::resolve(match event.at.pc {
            0 => event.at.context,
            _ => event.at.stack(),
        }),
    }
}

/// What alone ordered the accesses.
fn handovers(me: &Thread, met: &Met, locks: &mut Locks) -> Vec<Handover> {
    let (slot, pos) = (met.conflict.slot, met.conflict.entry.pos);
    let found = handover::to(me.recorder.slot(), &me.recorder.clock, slot, pos);
    let found = found.into_iter().map(|one| Handover {
        lock: locks.index(one.lock),
        // The position is the first behind what was given back.
        from: thread_at(one.from.0, one.from.1 - 1),
        to: thread_at(one.to, one.taken),
        taken: stack::resolve(one.at.stack()),
    });
    found.collect()
}

/// The memory at `addr`.
pub(crate) fn place(addr: usize, freed: bool) -> Place {
    if let Some(number) = descriptor::at_address(addr) {
        return Place::Descriptor { number };
    }
    if let Some(name) = static_buffer::at_address(addr) {
        return Place::StaticBuffer { name };
    }
    if let Some(block) = intercept::find_block(addr) {
        return Place::Heap {
            start: block.start as u64,
            size: block.size as u64,
            thread: block.thread,
            stack: stack::resolve(block.stack),
            freed,
        };
    }
    if let Some((thread, thread_pointer)) = registry::owner_of_tls(addr) {
        return Place::ThreadLocal {
            thread,
            thread_pointer: Some(thread_pointer),
        };
    }
    match registry::owner_of_stack(addr) {
        Some(thread) => Place::ThreadStack { thread },
        None => Place::Other,
    }
}

/// All threads a finding mentions, and their creators.
fn threads(finding: &Finding) -> Vec<crate::finding::ThreadInfo> {
    let accesses = finding.accesses.iter().map(|access| access.thread);
    let owner = match &finding.place {
        Place::Heap { thread, .. }
        | Place::ThreadStack { thread }
        | Place::ThreadLocal { thread, .. } => Some(*thread),
        Place::StaticBuffer { .. } | Place::Descriptor { .. } | Place::Other => None,
    };
    let between = finding.handovers.iter();
    let between = between.flat_map(|handover| [handover.from, handover.to]);
    let last = finding.accesses.iter();
    let last = last.filter_map(|access| access.last_sync.as_ref()?.thread);
    registry::with_creators(accesses.chain(owner).chain(between).chain(last))
}
