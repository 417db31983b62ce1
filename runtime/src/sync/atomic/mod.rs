//! C11 and C++ atomics.
//!
//! An operation and its effect on the clocks happen under the lock of the
//! variable's sync object, so that what a load learns belongs to the value it
//! read. Release sequences: a read-modify-write adds to what the variable
//! publishes, a store by another thread replaces it. Fences: a release fence
//! makes later relaxed stores publish what was known at the fence; an acquire
//! fence makes earlier relaxed loads count.
//!
//! The access itself is recorded before the clocks move, so that whoever
//! acquires the release is ordered after it.

mod entry;
mod library;
mod native;
mod recent;
mod tsan;

#[cfg(test)]
pub(crate) use {library::NAMES as LIBRARY_NAMES, tsan::NAMES};

use super::events;
use super::order::{AcquireOrder, MemoryOrder, ReleaseOrder};
use super::table::{self, State, SyncObject};
use crate::clock::Released;
use crate::engine::How;
use crate::finding::Act;
use crate::thread::{self, Thread};
use crate::{access, internal_error, tls};
use core::cell::Cell;
use native::Native;
pub use recent::Recent;

/// Is there anything to do beyond the operation itself?
#[inline(always)]
fn unobserved() -> bool {
    // SAFETY: this thread's own block.
    let block = unsafe { &*tls::block() };
    block.current == 0 || block.inside != 0
}

/// Is such an access on record in this segment, at a variable that nobody has
/// published anything with? Then the operation itself is all there is to do, if
/// it does not publish either.
#[inline(always)]
fn is_routine(addr: usize, size: usize, write: bool) -> bool {
    // SAFETY: this thread's own block, and what it points to.
    let (block, me) = unsafe {
        let block = &*tls::block();
        (block, block.thread.as_ref())
    };
    me.is_some_and(|me| {
        me.recent.has(addr, size, write, block.current)
            && !(write && me.release_fence.is_some())
            && (write || !me.loops.noting.waits())
            && !table::is_near(addr)
    })
}

/// Runs `f`, unless there is a reason not to, when the access is on record.
/// What it did counts even if it does not come to its end, which happens only
/// if errors are `CAUGHT`; where they are not, `f` is called in one place and
/// becomes part of it.
#[inline(always)]
fn observe<const CAUGHT: bool>(
    addr: usize,
    size: usize,
    write: bool,
    pc: usize,
    f: impl FnOnce(&mut Thread),
) {
    if CAUGHT {
        tls::section(|| observed(addr, size, write, pc, f));
    } else if let Some(_inside) = tls::enter() {
        observed(addr, size, write, pc, f);
    }
}

#[inline(always)]
fn observed(addr: usize, size: usize, write: bool, pc: usize, f: impl FnOnce(&mut Thread)) {
    let Some(me) = thread::current() else { return };
    access::atomic(
        me,
        addr,
        size,
        How {
            write,
            atomic: true,
        },
        pc,
    );
    if me.ignoring.sync != 0 {
        return;
    }
    f(me);
    me.publish_segment();
}

fn learn(me: &mut Thread, state: &State, order: AcquireOrder) {
    match order {
        AcquireOrder::Acquire => me.recorder.acquire(&state.released),
        AcquireOrder::Relaxed => {
            if !state.released.is_empty() && !me.recorder.clock.knows(&state.released) {
                me.acquire_fence.merge(&state.released);
            }
        }
    }
}

/// Must the operation leave something behind at the variable?
fn publishes(me: &Thread, order: ReleaseOrder) -> bool {
    order == ReleaseOrder::Release || me.release_fence.is_some()
}

fn object_for(me: &Thread, addr: usize, order: ReleaseOrder) -> Option<&'static SyncObject> {
    if publishes(me, order) {
        table::find_or_make(addr)
    } else {
        table::find(addr)
    }
}

fn load<T: Native>(addr: usize, order: AcquireOrder, pc: usize) -> T {
    // SAFETY: the program reads there itself.
    let value = || unsafe { T::load(addr) };
    if unobserved() {
        return value();
    }
    // Whoever published the value made the object before.
    let first = value();
    if is_routine(addr, size_of::<T>(), false) {
        return first;
    }
    if internal_error::is_caught() {
        return load_observed::<T, true>(addr, order, pc);
    }
    load_observed::<T, false>(addr, order, pc)
}

#[inline]
fn load_observed<T: Native, const CAUGHT: bool>(addr: usize, order: AcquireOrder, pc: usize) -> T {
    // SAFETY: the program reads there itself.
    let value = || unsafe { T::load(addr) };
    let seen = Cell::new(None);
    observe::<CAUGHT>(addr, size_of::<T>(), false, pc, |me| {
        let first = value();
        let Some(object) = table::find(addr) else {
            return seen.set(Some(first));
        };
        let state = object.lock();
        seen.set(Some(value()));
        let end = me.recorder.log.end();
        learn(me, &state, order);
        drop(state);
        // Who looks again and again is ordered by what it had not seen before.
        if me.recorder.log.end() != end {
            events::note(me, Act::AtomicAcquire, addr, pc);
        }
        me.looked_at(addr);
    });
    seen.get().unwrap_or_else(value)
}

fn store<T: Native>(addr: usize, new: T, order: MemoryOrder, pc: usize) {
    // SAFETY: the program writes there itself.
    let write = || unsafe {
        if order.is_total() {
            T::store(addr, new)
        } else {
            T::store_release(addr, new)
        }
    };
    let order = order.release();
    if unobserved() || (order == ReleaseOrder::Relaxed && is_routine(addr, size_of::<T>(), true)) {
        return write();
    }
    if internal_error::is_caught() {
        return store_observed::<T, true>(addr, order, pc, write);
    }
    store_observed::<T, false>(addr, order, pc, write);
}

#[inline]
fn store_observed<T: Native, const CAUGHT: bool>(
    addr: usize,
    order: ReleaseOrder,
    pc: usize,
    write: impl Fn(),
) {
    let done = Cell::new(false);
    observe::<CAUGHT>(addr, size_of::<T>(), true, pc, |me| {
        let Some(object) = object_for(me, addr, order) else {
            write();
            return done.set(true);
        };
        let mut state = object.lock();
        match (order, &me.release_fence) {
            (ReleaseOrder::Release, _) => me.recorder.release(&mut state.released),
            (ReleaseOrder::Relaxed, Some(fence)) => state.released = fence.clone(),
            // A thread's own relaxed store continues its release sequence
            // (as C11 has it; C++20 no longer says so).
            (ReleaseOrder::Relaxed, None) if state.released.slot() == me.recorder.slot() => {}
            (ReleaseOrder::Relaxed, None) => state.released = Released::new(),
        }
        write();
        done.set(true);
        drop(state);
        me.got_on();
        if order == ReleaseOrder::Release {
            events::note(me, Act::AtomicRelease, addr, pc);
        }
    });
    if !done.get() {
        write();
    }
}

/// A read-modify-write; `operate` returns the old value and whether it wrote.
fn update<T: Native>(
    addr: usize,
    orders: (MemoryOrder, MemoryOrder),
    pc: usize,
    operate: impl Fn() -> (T, bool),
) -> T {
    if unobserved() {
        return operate().0;
    }
    let (success, failure) = orders;
    if success.release() == ReleaseOrder::Relaxed && is_routine(addr, size_of::<T>(), true) {
        let (old, wrote) = operate();
        if table::is_near(addr) {
            let order = if wrote { success } else { failure };
            rmw_end(addr, order);
        }
        return old;
    }
    if internal_error::is_caught() {
        return update_observed::<T, true>(addr, orders, pc, operate);
    }
    update_observed::<T, false>(addr, orders, pc, operate)
}

#[inline]
fn update_observed<T: Native, const CAUGHT: bool>(
    addr: usize,
    (success, failure): (MemoryOrder, MemoryOrder),
    pc: usize,
    operate: impl Fn() -> (T, bool),
) -> T {
    let seen = Cell::new(None);
    observe::<CAUGHT>(addr, size_of::<T>(), true, pc, |me| {
        let Some(object) = object_for(me, addr, success.release()) else {
            let (old, wrote) = operate();
            seen.set(Some(old));
            // Somebody may have published the old value just before.
            if let Some(object) = table::find(addr) {
                let order = if wrote { success } else { failure };
                learn(me, &object.lock(), order.acquire());
            }
            return;
        };
        let mut state = object.lock();
        let (old, wrote) = operate();
        seen.set(Some(old));
        if wrote {
            learn(me, &state, success.acquire());
            publish(me, &mut state, success.release());
        } else {
            learn(me, &state, failure.acquire());
        }
        drop(state);
        let order = if wrote { success } else { failure };
        if !order.is_relaxed() {
            events::note(me, Act::AtomicUpdate, addr, pc);
        }
        me.attempted(wrote);
    });
    seen.get().unwrap_or_else(|| operate().0)
}

fn publish(me: &mut Thread, state: &mut State, order: ReleaseOrder) {
    match (order, &me.release_fence) {
        (ReleaseOrder::Release, _) => me.recorder.release_join(&mut state.released),
        (ReleaseOrder::Relaxed, Some(fence)) => state.released.merge(fence),
        (ReleaseOrder::Relaxed, None) => {}
    }
}

/// `atomic_thread_fence`.
fn fence(order: MemoryOrder, pc: usize) {
    core::sync::atomic::fence(core::sync::atomic::Ordering::SeqCst);
    if unobserved() {
        return;
    }
    let noted = |me: &mut Thread| {
        if order.acquire() == AcquireOrder::Acquire {
            let seen = core::mem::take(&mut me.acquire_fence);
            me.recorder.acquire(&seen);
        }
        if order.release() == ReleaseOrder::Release {
            me.release_fence = Some(me.recorder.released());
        }
        events::note(me, Act::Fence, 0, pc);
    };
    tls::section(|| thread::synchronise(noted));
}

/// Before an operation that stays in the program: what it publishes. If its
/// `size` is 0, it orders, but is no access.
fn rmw_begin(addr: usize, size: usize, order: MemoryOrder, pc: usize) {
    if unobserved() {
        return;
    }
    let published = |me: &mut Thread| {
        if let Some(object) = object_for(me, addr, order.release()) {
            publish(me, &mut object.lock(), order.release());
            events::note(me, Act::AtomicUpdate, addr, pc);
        }
    };
    if size == 0 {
        tls::section(|| thread::synchronise(published));
    } else {
        observe::<true>(addr, size, true, pc, published);
    }
}

/// After it: what it learned.
fn rmw_end(addr: usize, order: MemoryOrder) {
    if unobserved() {
        return;
    }
    let learned = |me: &mut Thread| {
        if let Some(object) = table::find(addr) {
            learn(me, &object.lock(), order.acquire());
        }
    };
    tls::section(|| thread::synchronise(learned));
}
