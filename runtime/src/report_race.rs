//! From a conflict in the shadow to a finding.

use crate::engine::writers::Writer;
use crate::engine::{Conflict, How, Met};
use crate::finding::{Access, Finding, HeldLock, Kind, Operation, Place};
use crate::lock::Mode;
use crate::lock::finding::LockInfo;
use crate::log::site::Site;
use crate::thread::{Thread, registry};
use crate::{annotate, descriptor, intercept, report, slot, stack, static_buffer};
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
    if met.conflict.is_late && intercept::find_block(addr).is_some() {
        return;
    }
    let kind = kind(addr, site, &met);
    report_as(me, kind, (addr, size), how, site, &met);
}

/// The same of an access to an object's vtable pointer.
#[cold]
pub(crate) fn report_vptr(me: &Thread, addr: usize, how: How, site: &Site, met: Met) {
    if annotate::is_meant(shared_bytes(addr, 8, &met)) {
        return;
    }
    let kind = match kind(addr, site, &met) {
        Kind::DataRace => Kind::VptrRace,
        other => other,
    };
    report_as(me, kind, (addr, 8), how, site, &met);
}

fn kind(addr: usize, site: &Site, met: &Met) -> Kind {
    let earlier = met.conflict.entry;
    if met.conflict.is_late {
        Kind::UseAfterFree
    } else if descriptor::at_address(addr).is_some() {
        Kind::DescriptorRace
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

fn report_as(me: &Thread, kind: Kind, at: (usize, usize), how: How, site: &Site, met: &Met) {
    let earlier = met.conflict.entry;
    if report::already_reported(kind, innermost(site), stack::innermost(earlier.stack)) {
        return;
    }
    let mut finding = gather(me, kind, at, how, site, met);
    finding.threads = threads(&finding);
    report::report(&finding);
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
    let now = Access {
        operation: operation(how.write, how.atomic, site.free),
        address: span.0 as u64,
        size: span.1 as u64,
        thread: me.number,
        stack: stack::resolve(stack::intern(site.context, site.pc)),
        locks: Some(held(me)),
    };
    let (first, unit) = met.earlier_bytes(span.0, span.1);
    let before = Access {
        operation: operation(earlier.touch.write, earlier.touch.atomic, earlier.free),
        address: first as u64,
        size: unit as u64,
        thread: slot::thread_at(met.conflict.slot, earlier.pos).unwrap_or(0),
        stack: stack::resolve(earlier.stack),
        locks: None,
    };
    let freed = site.free || (earlier.free && !earlier.touch.atomic);
    let at = span.0.max(met.granule);
    Finding {
        kind,
        accesses: [now, before].map(on_descriptor),
        place: place(at, freed),
        threads: Vec::new(),
        locks: me
            .held
            .all()
            .iter()
            .map(|held| LockInfo::of(held.lock))
            .collect(),
    }
}

/// The locks that `me` holds, in the order of the finding's locks.
fn held(me: &Thread) -> Vec<HeldLock> {
    let held = me.held.all().iter().enumerate();
    held.map(|(lock, held)| HeldLock {
        lock,
        write: held.mode == Mode::Write,
        taken: stack::resolve(held.at.stack()),
    })
    .collect()
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
    registry::with_creators(accesses.chain(owner))
}
