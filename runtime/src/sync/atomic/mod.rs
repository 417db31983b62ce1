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
mod native;
mod recent;
mod tsan;

#[cfg(test)]
pub(crate) use tsan::NAMES;

use super::events;
use super::order::{AcquireOrder, MemoryOrder, ReleaseOrder};
use super::table::{self, State, SyncObject};
use crate::clock::Released;
use crate::engine::How;
use crate::finding::Act;
use crate::thread::{self, Thread};
use crate::{access, tls};
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

/// Puts the access on record. The calling thread, unless there is a reason to
/// leave it at that.
#[inline]
fn observed(addr: usize, size: usize, write: bool, pc: usize) -> Option<&'static mut Thread> {
    let me = thread::current()?;
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
    (me.ignoring.sync == 0).then_some(me)
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
    let seen = &Cell::new(None);
    tls::section(move || load_inside(addr, order, pc, seen));
    seen.get().unwrap_or_else(value)
}

/// What was read goes to `seen`, where it counts whatever happens next.
#[inline(never)]
fn load_inside<T: Native>(addr: usize, order: AcquireOrder, pc: usize, seen: &Cell<Option<T>>) {
    // SAFETY: the program reads there itself.
    let value = || unsafe { T::load(addr) };
    let Some(me) = observed(addr, size_of::<T>(), false, pc) else {
        return;
    };
    seen.set(Some(value()));
    if let Some(object) = table::find(addr) {
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
    }
    me.publish_segment();
}

/// Stores as the program does.
///
/// # Safety
/// As [`Native::store`].
#[inline]
unsafe fn write<T: Native>(addr: usize, new: T, is_total: bool) {
    // SAFETY: passed on.
    unsafe {
        if is_total {
            T::store(addr, new)
        } else {
            T::store_release(addr, new)
        }
    }
}

fn store<T: Native>(addr: usize, new: T, order: MemoryOrder, pc: usize) {
    let is_routine =
        || order.release() == ReleaseOrder::Relaxed && is_routine(addr, size_of::<T>(), true);
    let done = &Cell::new(false);
    if !unobserved() && !is_routine() {
        tls::section(move || store_inside(addr, new, order, pc, done));
    }
    if !done.get() {
        // SAFETY: the program writes there itself.
        unsafe { write(addr, new, order.is_total()) };
    }
}

/// Says in `done` when it is, whatever happens next.
#[inline(never)]
fn store_inside<T: Native>(addr: usize, new: T, order: MemoryOrder, pc: usize, done: &Cell<bool>) {
    let write = || {
        // SAFETY: the program writes there itself.
        unsafe { write(addr, new, order.is_total()) };
        done.set(true);
    };
    let order = order.release();
    let Some(me) = observed(addr, size_of::<T>(), true, pc) else {
        return;
    };
    if let Some(object) = object_for(me, addr, order) {
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
        drop(state);
        if order == ReleaseOrder::Release {
            events::note(me, Act::AtomicRelease, addr, pc);
        }
    } else {
        write();
    }
    me.publish_segment();
}

/// A read-modify-write; `operate` returns the old value and whether it wrote.
fn update<T: Native>(
    addr: usize,
    orders: (MemoryOrder, MemoryOrder),
    pc: usize,
    operate: impl Fn() -> (T, bool) + Copy,
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
    let seen = &Cell::new(None);
    tls::section(move || update_inside(addr, orders, pc, operate, seen));
    seen.get().unwrap_or_else(|| operate().0)
}

/// The old value goes to `seen`, where it counts whatever happens next.
#[inline(never)]
fn update_inside<T: Native>(
    addr: usize,
    (success, failure): (MemoryOrder, MemoryOrder),
    pc: usize,
    operate: impl Fn() -> (T, bool),
    seen: &Cell<Option<T>>,
) {
    let Some(me) = observed(addr, size_of::<T>(), true, pc) else {
        return;
    };
    if let Some(object) = object_for(me, addr, success.release()) {
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
    } else {
        let (old, wrote) = operate();
        seen.set(Some(old));
        // Somebody may have published the old value just before.
        if let Some(object) = table::find(addr) {
            let order = if wrote { success } else { failure };
            learn(me, &object.lock(), order.acquire());
        }
    }
    me.publish_segment();
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
    tls::section(move || thread::synchronise(noted));
}

/// Before an operation that stays in the program: what it publishes.
fn rmw_begin(addr: usize, size: usize, order: MemoryOrder, pc: usize) {
    if unobserved() {
        return;
    }
    tls::section(move || {
        let Some(me) = observed(addr, size, true, pc) else {
            return;
        };
        if let Some(object) = object_for(me, addr, order.release()) {
            publish(me, &mut object.lock(), order.release());
            events::note(me, Act::AtomicUpdate, addr, pc);
        }
        me.publish_segment();
    });
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
    tls::section(move || thread::synchronise(learned));
}
