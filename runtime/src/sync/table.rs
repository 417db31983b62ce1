//! Sync objects by address.
//!
//! A hash table of chains that are only ever extended: an object whose memory
//! goes away becomes vacant and serves the next address of its chain. So
//! looking up takes no lock and never meets freed memory. Neighbouring
//! addresses have neighbouring chains, which makes dropping a range (a freed
//! heap block) a walk over as many chains as it has cache lines.

use crate::clock::Released;
use crate::lock::{self, LockId};
use crate::os;
use crate::spin::{SpinGuard, SpinLock};
use alloc::vec::Vec;
use core::ops::Range;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicPtr, AtomicU8, AtomicU32, AtomicUsize, Ordering};

/// What is known of a sync object.
#[derive(Default)]
#[repr(C)]
pub struct State {
    /// What acquiring it teaches: the last release, or several joined.
    pub released: Released,
    /// For a read-write lock: what readers released since the last writer.
    pub readers: Released,
    /// For a read-write lock: the slot that holds it for writing, or 0; for a
    /// channel, whether anybody has received from it.
    pub writer: u16,
}

/// A sync object. All that locking and unlocking a mutex needs is in its first
/// cache line.
#[repr(C, align(64))]
pub struct SyncObject {
    /// Its address; 0 when vacant.
    addr: AtomicUsize,
    next: AtomicPtr<SyncObject>,
    /// The lock it is, if it is one: a [`LockId`], and perhaps [`YOUNG`].
    lock: AtomicU32,
    /// Who holds that lock for itself: the thread's number plus one, or 0. With
    /// [`TOLD`] nobody does, and that thread has nothing to learn from the state.
    owner: AtomicU32,
    state: SpinLock<State>,
}

const TOLD: u32 = 1 << 31;

/// Only the thread that initialised the lock has used it so far.
const YOUNG: u32 = 1 << 31;
const _: () = assert!(LockId::LIMIT < YOUNG);

const _: () = {
    let state = core::mem::offset_of!(SyncObject, state);
    let released = core::mem::offset_of!(State, released) + size_of::<usize>();
    assert!(state + released + size_of::<Released>() <= 64);
};

/// Bytes of program memory whose objects share a chain.
pub(crate) const LINE: usize = 64;
/// 8 MiB of address space; a page of it serves 32 KiB of program memory.
pub(crate) const CHAINS: usize = 1 << 20;
/// Objects made at a time.
const BATCH: usize = 32;

/// Chains whose objects are counted together, so that dropping a range without
/// objects costs one look for each 64 KiB.
pub(crate) const GROUP: usize = 1 << 10;
pub(crate) const GROUPS: usize = CHAINS / GROUP;
/// Groups from the place of one line to that of the next with the same number.
pub(crate) const TURN: usize = 389;

/// Where the chains begin; assembly in [`crate::rewritten`] looks there, too.
pub(crate) static HEADS: AtomicUsize = AtomicUsize::new(0);
/// Live objects in each group of chains.
static LIVE: [AtomicU32; GROUPS] = [const { AtomicU32::new(0) }; GROUPS];

/// Lines that are told apart there.
pub(crate) const NEAR_SIZE: usize = 1 << 16;
/// Not 0 if a line with this number, but for its upper bits, has ever had an
/// object. Assembly looks here first: one line of it serves 4 KiB of program
/// memory.
pub(crate) static NEAR: [AtomicU8; NEAR_SIZE] = [const { AtomicU8::new(0) }; NEAR_SIZE];

/// Reserves the table.
pub fn reserve() -> Result<(), os::Errno> {
    let heads = os::map(CHAINS * size_of::<AtomicPtr<SyncObject>>())?;
    HEADS.store(heads as usize, Ordering::Release);
    Ok(())
}

/// The number of a line's chain. Groups of lines stay together, but lines 64 MiB
/// apart have different ones: so far from each other are the heaps of threads,
/// whose locks are at the same offsets.
#[inline]
fn number(line: usize) -> usize {
    let turn = (line / CHAINS).wrapping_mul(TURN) % GROUPS;
    (line ^ (turn * GROUP)) % CHAINS
}

#[inline]
fn chain_at(number: usize) -> &'static AtomicPtr<SyncObject> {
    let heads = HEADS.load(Ordering::Relaxed) as *const AtomicPtr<SyncObject>;
    // SAFETY: the number is within the table, which is never unmapped.
    unsafe { &*heads.add(number % CHAINS) }
}

#[inline]
fn chain(addr: usize) -> &'static AtomicPtr<SyncObject> {
    chain_at(number(addr / LINE))
}

fn live(addr: usize) -> &'static AtomicU32 {
    &LIVE[number(addr / LINE) / GROUP]
}

struct Objects(Option<&'static SyncObject>);

impl Iterator for Objects {
    type Item = &'static SyncObject;
    #[inline]
    fn next(&mut self) -> Option<&'static SyncObject> {
        let object = self.0?;
        // SAFETY: objects are never freed.
        self.0 = unsafe { object.next.load(Ordering::Acquire).as_ref() };
        Some(object)
    }
}

#[inline]
fn objects_of(chain: &AtomicPtr<SyncObject>) -> Objects {
    // SAFETY: objects are never freed.
    Objects(unsafe { chain.load(Ordering::Acquire).as_ref() })
}

#[inline]
fn objects(addr: usize) -> Objects {
    objects_of(chain(addr))
}

/// The object at `addr`, if there is one.
#[inline]
pub fn find(addr: usize) -> Option<&'static SyncObject> {
    objects(addr).find(|o| o.addr.load(Ordering::Acquire) == addr)
}

/// May there be an object in the cache line of `addr`?
#[inline]
pub fn is_near(addr: usize) -> bool {
    !chain(addr).load(Ordering::Acquire).is_null()
}

/// The object at `addr`, made if there is none.
#[inline]
pub fn find_or_make(addr: usize) -> Option<&'static SyncObject> {
    match find(addr) {
        Some(object) => Some(object),
        None => make(addr),
    }
}

/// Only one thread at a time adds objects, so that an address gets one object.
static MAKING: SpinLock<Pool> = SpinLock::new(Pool {
    next: null_mut(),
    left: 0,
});

struct Pool {
    next: *mut SyncObject,
    left: usize,
}
// SAFETY: the pool owns what it points to.
unsafe impl Send for Pool {}

#[cold]
fn make(addr: usize) -> Option<&'static SyncObject> {
    let mut pool = MAKING.lock();
    if let Some(object) = find(addr) {
        return Some(object);
    }
    NEAR[addr / LINE % NEAR_SIZE].store(1, Ordering::Release);
    if let Some(vacant) = objects(addr).find(|o| o.addr.load(Ordering::Acquire) == 0) {
        live(addr).fetch_add(1, Ordering::Relaxed);
        vacant.addr.store(addr, Ordering::Release);
        return Some(vacant);
    }
    if pool.left == 0 {
        pool.next = os::map((BATCH * size_of::<SyncObject>()).next_multiple_of(os::PAGE))
            .ok()?
            .cast();
        pool.left = BATCH;
    }
    let fresh = pool.next;
    pool.next = fresh.wrapping_add(1);
    pool.left -= 1;
    live(addr).fetch_add(1, Ordering::Relaxed);
    let head = chain(addr);
    // SAFETY: `fresh` is unused memory of the right size and alignment.
    unsafe {
        fresh.write(SyncObject {
            addr: AtomicUsize::new(addr),
            next: AtomicPtr::new(head.load(Ordering::Acquire)),
            lock: AtomicU32::new(0),
            owner: AtomicU32::new(0),
            state: SpinLock::new(State::default()),
        });
        head.store(fresh, Ordering::Release);
        Some(&*fresh)
    }
}

impl SyncObject {
    /// Where assembly finds its parts.
    #[cfg(not(test))]
    pub(crate) const ADDR: usize = core::mem::offset_of!(SyncObject, addr);
    #[cfg(not(test))]
    pub(crate) const NEXT: usize = core::mem::offset_of!(SyncObject, next);

    /// Locks its state.
    #[inline]
    pub fn lock(&self) -> SpinGuard<'_, State> {
        let state = self.state.lock();
        let owner = self.owner.load(Ordering::Relaxed);
        if owner & TOLD != 0 {
            let (new, any) = (Ordering::Relaxed, Ordering::Relaxed);
            let _ = self.owner.compare_exchange(owner, 0, new, any);
        }
        state
    }

    /// The thread, which has locked the state, knows all that is there; that
    /// lasts until the lock is taken or somebody else locks the state.
    #[inline]
    pub fn set_told(&self, _state: &SpinGuard<'_, State>, thread: u32) {
        if self.owner.load(Ordering::Relaxed) == 0 {
            self.owner.store(TOLD | (thread + 1), Ordering::Relaxed);
        }
    }

    /// Has the thread nothing to learn from the state?
    #[inline]
    pub fn has_told(&self, thread: u32) -> bool {
        self.owner.load(Ordering::Relaxed) == TOLD | (thread + 1)
    }

    /// Which lock it is, if it has been used as one.
    #[inline]
    pub fn lock_id(&self) -> Option<LockId> {
        LockId::new(self.lock.load(Ordering::Acquire) & !YOUNG)
    }

    /// Is it a lock that nobody but the thread which initialised it has used?
    #[inline]
    pub fn is_young(&self) -> bool {
        self.lock.load(Ordering::Relaxed) & YOUNG != 0
    }

    /// Notes whether it is such a lock.
    #[cold]
    pub fn set_young(&self, young: bool) {
        if young {
            self.lock.fetch_or(YOUNG, Ordering::Relaxed);
        } else {
            self.lock.fetch_and(!YOUNG, Ordering::Relaxed);
        }
    }

    /// Makes it the lock that `make` gives, unless it is one already.
    #[cold]
    pub fn become_lock(&self, make: impl FnOnce() -> Option<LockId>) -> Option<LockId> {
        let _one_at_a_time = self.state.lock();
        if let Some(id) = self.lock_id() {
            return Some(id);
        }
        let id = make()?;
        self.lock.store(id.number(), Ordering::Release);
        Some(id)
    }

    /// The number of the thread that holds the lock for itself.
    #[inline]
    pub fn owner(&self) -> Option<u32> {
        let owner = self.owner.load(Ordering::Relaxed);
        (owner & TOLD == 0).then_some(owner)?.checked_sub(1)
    }

    /// Notes who holds the lock for itself.
    #[inline]
    pub fn set_owner(&self, thread: Option<u32>) {
        let owner = thread.map_or(0, |number| number + 1);
        self.owner.store(owner, Ordering::Relaxed);
    }
}

/// Drops the object at `addr`.
pub fn remove(addr: usize) {
    if let Some(object) = find(addr) {
        vacate(object);
    }
}

fn vacate(object: &SyncObject) {
    let mut state = object.lock();
    *state = State::default();
    object.owner.store(0, Ordering::Relaxed);
    let lock = LockId::new(object.lock.swap(0, Ordering::AcqRel) & !YOUNG);
    let addr = object.addr.swap(0, Ordering::AcqRel);
    if addr != 0 {
        live(addr).fetch_sub(1, Ordering::Relaxed);
    }
    drop(state);
    if let Some(lock) = lock {
        lock::retire(lock);
    }
}

/// Drops all objects in `[start, start + len)`.
pub fn remove_range(start: usize, len: usize) {
    visit_range(start, len, vacate);
}

/// Drops them, too, after `before` has seen each that is a lock, and its
/// address.
pub fn free_range(start: usize, len: usize, before: impl Fn(&SyncObject, usize)) {
    visit_range(start, len, |object| {
        let addr = object.addr.load(Ordering::Acquire);
        if object.lock_id().is_some() {
            before(object, addr);
        }
        vacate(object);
    });
}

/// Drops them, too, and returns what they held.
pub fn take_range(start: usize, len: usize) -> Vec<(usize, State)> {
    let mut taken = Vec::new();
    visit_range(start, len, |object| {
        let addr = object.addr.load(Ordering::Acquire);
        taken.push((addr, core::mem::take(&mut *object.lock())));
        vacate(object);
    });
    taken
}

fn visit_range(start: usize, len: usize, mut visit: impl FnMut(&SyncObject)) {
    if len == 0 {
        return;
    }
    let end = start + len;
    let (first, last) = (start / LINE, (end - 1) / LINE);
    // So many lines may have any chain: all are looked at once.
    let is_huge = last - first >= CHAINS;
    let (first, last) = if is_huge {
        (0, CHAINS - 1)
    } else {
        (first, last)
    };
    let mut at = first;
    while at <= last {
        let next = (at / GROUP + 1) * GROUP;
        let from = if is_huge { at } else { number(at) };
        if LIVE[from / GROUP].load(Ordering::Relaxed) != 0 {
            for chain in from..from + (next.min(last + 1) - at) {
                visit_chain(chain_at(chain), start..end, &mut visit);
            }
        }
        at = next;
    }
}

fn visit_chain(
    chain: &AtomicPtr<SyncObject>,
    range: Range<usize>,
    visit: &mut impl FnMut(&SyncObject),
) {
    for object in objects_of(chain) {
        let addr = object.addr.load(Ordering::Acquire);
        if addr != 0 && range.contains(&addr) {
            visit(object);
        }
    }
}

/// Keeps everybody else from adding objects until the process has forked.
pub fn before_fork() {
    MAKING.hold();
}

/// Opens the lock after a fork, in parent and child.
///
/// # Safety
/// As [`SpinLock::force_unlock`].
pub unsafe fn after_fork() {
    // SAFETY: passed on.
    unsafe { MAKING.force_unlock() }
}

/// In a forked child: opens the objects that a thread of the parent was
/// working on at that moment, which lose what they knew.
///
/// # Safety
/// No other thread may be running.
pub unsafe fn reset_held() {
    for group in (0..GROUPS).filter(|&g| LIVE[g].load(Ordering::Relaxed) != 0) {
        for index in group * GROUP..(group + 1) * GROUP {
            for object in objects_of(chain_at(index)) {
                // SAFETY: passed on.
                unsafe { object.state.reset_if_held(State::default()) };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_drop_exactly_their_objects() {
        crate::init::for_tests();
        let base = 0x7f12_3456_0000;
        for offset in [0, 8, 63, 64, 200] {
            find_or_make(base + offset).unwrap().lock().writer = 9;
        }
        remove_range(base + 8, 192);
        let left: Vec<usize> = [0, 8, 63, 64, 200]
            .into_iter()
            .filter(|o| find(base + o).is_some())
            .collect();
        assert_eq!(left, [0, 200]);
        assert_eq!(find_or_make(base + 64).unwrap().lock().writer, 0);
    }

    #[test]
    fn who_was_told_learns_nothing_until_somebody_comes() {
        crate::init::for_tests();
        let object = find_or_make(0x7f12_3466_0000).unwrap();
        let tell = |thread| object.set_told(&object.lock(), thread);
        tell(5);
        assert!(object.has_told(5) && !object.has_told(4) && object.owner().is_none());
        drop(object.lock());
        assert!(!object.has_told(5));
        tell(0);
        assert!(object.has_told(0));
        object.set_owner(Some(7));
        assert!(!object.has_told(0) && object.owner() == Some(7));
        // While somebody has the lock, that is all there is to know.
        tell(7);
        assert!(!object.has_told(7) && object.owner() == Some(7));
        remove(0x7f12_3466_0000);
    }

    #[test]
    fn lines_far_apart_have_chains_of_their_own() {
        crate::init::for_tests();
        let far = LINE * CHAINS;
        let base = 0x6e00_0000_0000 + far;
        assert!((1..64).all(|i| number(base / LINE) != number((base + i * far) / LINE)));
        let around = [base - 8, base, base + 8];
        for addr in around {
            find_or_make(addr).unwrap();
        }
        remove_range(base - 64, 72);
        let left = around.map(|addr| find(addr).is_some());
        assert_eq!(left, [false, false, true]);
        remove_range(base, 64);
    }

    #[test]
    fn huge_ranges_drop_objects_in_any_chain() {
        crate::init::for_tests();
        let base = 0x6f00_0000_0000;
        let far = base + 3 * LINE * CHAINS + 17 * LINE;
        find_or_make(base + 40).unwrap();
        find_or_make(far).unwrap();
        remove_range(base + 41, 1 << 40);
        assert!(find(base + 40).is_some() && find(far).is_none());
        remove_range(base, 41);
        assert!(find(base + 40).is_none());
    }
}
