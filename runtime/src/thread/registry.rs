//! What reports say about threads.

use super::Thread;
use super::activation::Calls;
use super::lifecycle::DETACHED;
use crate::clock::{Clock, Known};
use crate::finding::ThreadInfo;
use crate::spin::SpinLock;
use crate::stack;
use crate::tls::Block;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::sync::atomic::{AtomicU32, Ordering};

/// What stays known of a thread.
struct Record {
    os_id: u32,
    name: Option<String>,
    running: bool,
    creator: u32,
    /// Stack id of the creating call; 0 if the creation was not seen.
    created_at: u32,
    /// The creator's [`Thread::time`] then.
    created_time: u32,
    /// Threads it joined, each with its own time since.
    joins: Vec<(u32, u32)>,
    stack: (usize, usize),
    /// Static thread-local storage lies just below.
    thread_pointer: usize,
}

struct Registry {
    /// Indexed by number.
    records: Vec<Record>,
    /// Live and unjoined threads by their pthread_t.
    by_pthread: BTreeMap<u64, *mut Thread>,
    /// The thread-local blocks of live threads, by number.
    blocks: BTreeMap<u32, *const Block>,
}

// SAFETY: the pointers are only handed out, under the rules of POSIX for
// pthread_t: a joined or detached thread's is not used again.
unsafe impl Send for Registry {}

static REGISTRY: SpinLock<Registry> = SpinLock::new(Registry {
    records: Vec::new(),
    by_pthread: BTreeMap::new(),
    blocks: BTreeMap::new(),
});

/// How many threads there have been.
static COUNT: AtomicU32 = AtomicU32::new(0);

/// How many there are, from the moment their creators ask for them until they
/// end.
static LIVE: AtomicU32 = AtomicU32::new(0);

/// How many threads there are, begun or not.
pub(crate) fn live() -> u32 {
    LIVE.load(Ordering::SeqCst)
}

/// Numbers a new thread.
pub(super) fn add(creator: u32, created_at: u32, created_time: u32) -> u32 {
    COUNT.fetch_add(1, Ordering::Relaxed);
    LIVE.fetch_add(1, Ordering::SeqCst);
    let mut registry = REGISTRY.lock();
    registry.records.push(Record {
        os_id: 0,
        name: None,
        running: true,
        creator,
        created_at,
        created_time,
        joins: Vec::new(),
        stack: (0, 0),
        thread_pointer: 0,
    });
    registry.records.len() as u32 - 1
}

fn update(number: u32, f: impl FnOnce(&mut Record)) {
    if let Some(record) = REGISTRY.lock().records.get_mut(number as usize) {
        f(record);
    }
}

pub(super) fn started(number: u32, os_id: u32, stack: (usize, usize)) {
    let thread_pointer = crate::tls::thread_pointer();
    update(number, |r| {
        (r.os_id, r.stack, r.thread_pointer) = (os_id, stack, thread_pointer);
    });
    REGISTRY.lock().blocks.insert(number, crate::tls::block());
}

pub(super) fn ended(number: u32) {
    LIVE.fetch_sub(1, Ordering::SeqCst);
    update(number, |r| r.running = false);
    REGISTRY.lock().blocks.remove(&number);
}

pub(super) fn enlist(pthread: u64, thread: *mut Thread) {
    REGISTRY.lock().by_pthread.insert(pthread, thread);
}

pub(super) fn delist(thread: *mut Thread) {
    REGISTRY.lock().by_pthread.retain(|_, t| *t != thread);
}

/// The thread behind a `pthread_t`.
pub fn find(pthread: u64) -> Option<*mut Thread> {
    REGISTRY.lock().by_pthread.get(&pthread).copied()
}

/// What the thread in `slot` knows, if it still runs there.
pub fn known_now(slot: u16) -> Option<Known> {
    let registry = REGISTRY.lock();
    registry.by_pthread.values().find_map(|thread| {
        // SAFETY: a listed thread's record stays; its slot and the end of its
        // log are numbers that it may change.
        unsafe {
            let recorder = &raw const (**thread).recorder;
            let log = &raw const (*recorder).log;
            ((*log).slot() == slot)
                .then(|| Clock::look_at(&raw const (*recorder).clock, (*log).end()))
        }
    })
}

/// Names a thread.
pub(crate) fn set_name(thread: *mut Thread, name: &[u8]) {
    // SAFETY: `thread` is live or unjoined.
    let number = unsafe { (*thread).number };
    update(number, |r| {
        r.name = Some(String::from_utf8_lossy(name).into_owned())
    });
}

/// The live thread in whose static thread-local storage `addr` lies, and its
/// thread pointer.
pub fn owner_of_tls(addr: usize) -> Option<(u32, u64)> {
    let size = static_tls_size();
    let registry = REGISTRY.lock();
    let holds =
        |r: &Record| r.running && addr < r.thread_pointer && r.thread_pointer - addr <= size;
    let number = registry.records.iter().position(holds)?;
    Some((
        number as u32,
        registry.records[number].thread_pointer as u64,
    ))
}

/// Upper bound of the static thread-local storage of the loaded modules.
fn static_tls_size() -> usize {
    unsafe extern "C" fn add(
        info: *mut libc::dl_phdr_info,
        _size: usize,
        sum: *mut libc::c_void,
    ) -> libc::c_int {
        // SAFETY: the loader passes a valid description, and our sum.
        unsafe {
            let headers =
                core::slice::from_raw_parts((*info).dlpi_phdr, (*info).dlpi_phnum as usize);
            for header in headers.iter().filter(|h| h.p_type == libc::PT_TLS) {
                *sum.cast::<usize>() += (header.p_memsz + header.p_align) as usize;
            }
        }
        0
    }
    let mut sum = 0usize;
    // SAFETY: the callback matches what it is given.
    unsafe { crate::loaded::walk(add, (&raw mut sum).cast()) };
    sum
}

/// The live thread on whose stack `addr` lies.
pub fn owner_of_stack(addr: usize) -> Option<u32> {
    let registry = REGISTRY.lock();
    let holds = |r: &Record| r.running && r.stack.0 <= addr && addr < r.stack.1;
    registry.records.iter().position(holds).map(|i| i as u32)
}

/// What to say about thread `number`; the creator's number goes into it.
pub fn describe(number: u32) -> Option<ThreadInfo> {
    let registry = REGISTRY.lock();
    let record = registry.records.get(number as usize)?;
    let (os_id, name, running) = (record.os_id, record.name.clone(), record.running);
    let (creator, created_at) = (record.creator, record.created_at);
    drop(registry);
    let created = (created_at != 0).then(|| (creator, stack::resolve(created_at)));
    Some(ThreadInfo {
        number,
        os_id,
        name,
        running,
        created,
    })
}

/// What to say about threads `numbers`, their creators and those of them, in
/// order.
pub fn with_creators(numbers: impl Iterator<Item = u32>) -> Vec<ThreadInfo> {
    let mut numbers: Vec<u32> = numbers.collect();
    let mut known: Vec<ThreadInfo> = Vec::new();
    while let Some(number) = numbers.pop() {
        if known.iter().any(|thread| thread.number == number) {
            continue;
        }
        let Some(info) = describe(number) else {
            continue;
        };
        numbers.extend(info.created.as_ref().map(|(creator, _)| *creator));
        known.push(info);
    }
    known.sort_by_key(|thread| thread.number);
    known
}

/// Thread `joiner` has joined `joined`; all it does from its time `time` on
/// comes after.
pub(super) fn note_join(joiner: u32, time: u32, joined: u32) {
    update(joiner, |record| record.joins.push((time, joined)));
}

/// Is one of two moments, each a thread's number and its time, before the other
/// because of how threads were created and joined? Nothing else counts: locks,
/// for one, could have been taken in the other order.
pub fn ordered(one: (u32, u32), other: (u32, u32)) -> bool {
    let registry = REGISTRY.lock();
    before(&registry.records, one, other) || before(&registry.records, other, one)
}

fn before(records: &[Record], early: (u32, u32), late: (u32, u32)) -> bool {
    let mut known: BTreeMap<u32, u32> = BTreeMap::new();
    let mut open = alloc::vec![late];
    while let Some((thread, time)) = open.pop() {
        if thread == early.0 && time >= early.1 {
            return true;
        }
        let seen = known.get(&thread).is_some_and(|before| *before >= time);
        let Some(record) = records.get(thread as usize).filter(|_| !seen) else {
            continue;
        };
        known.insert(thread, time);
        if record.created_at != 0 {
            open.push((record.creator, record.created_time));
        }
        let joins = record.joins.iter().filter(|(at, _)| *at <= time);
        open.extend(joins.map(|(_, joined)| (*joined, u32::MAX)));
    }
    false
}

/// Shows `look` every live thread: its number, the kernel's, and its block,
/// which stays until `look` returns.
pub(crate) fn each_live(mut look: impl FnMut(u32, u32, *const Block)) {
    let registry = REGISTRY.lock();
    for (&number, &block) in &registry.blocks {
        if let Some(record) = registry.records.get(number as usize) {
            look(number, record.os_id, block);
        }
    }
}

/// Slot and segment of every live thread, as instrumented code sees them.
pub fn current_words() -> Vec<u64> {
    let registry = REGISTRY.lock();
    // SAFETY: a block stays while its thread is enlisted.
    registry
        .blocks
        .values()
        .map(|&b| unsafe { (&raw const (*b).current).read_volatile() })
        .collect()
}

/// What the shadow call stack of thread `number` says, up to `deepest` calls;
/// `None` if it does not run. A thread other than the calling one may be at
/// work on it: what comes out is to be checked against something.
pub(super) fn calls(number: u32, deepest: usize) -> Option<Calls> {
    let registry = REGISTRY.lock();
    let os_id = registry.records.get(number as usize)?.os_id;
    let block = *registry.blocks.get(&number)?;
    let mut returns = Vec::new();
    // SAFETY: a block stays while its thread is enlisted, and so does the
    // memory of its shadow call stack, whose lowest frame has no address.
    unsafe {
        let mut top = (&raw const (*block).frames).read_volatile();
        while returns.len() < deepest {
            top = top.sub(1);
            let address = (&raw const (*top).return_address).read_volatile();
            if address == 0 {
                break;
            }
            returns.push(address);
        }
    }
    Some(Calls { returns, os_id })
}

/// As [`current_words`], with the number of each thread.
pub fn current_places() -> Vec<(u32, u64)> {
    let registry = REGISTRY.lock();
    // SAFETY: as above.
    let word = |block: *const Block| unsafe { (&raw const (*block).current).read_volatile() };
    let blocks = registry.blocks.iter();
    blocks
        .map(|(&number, &block)| (number, word(block)))
        .collect()
}

/// The calling thread ends when the runtime is off: nobody who is still inside
/// looks for its block from now on. The lock may stay closed for ever; then
/// nobody does either.
pub(crate) fn withdraw() {
    let own = crate::tls::block().cast_const();
    for _ in 0..LOOKS {
        if let Some(mut registry) = REGISTRY.try_lock() {
            return registry.blocks.retain(|_, block| *block != own);
        }
        crate::os::sched_yield();
    }
}

/// How often to look whether the registry is open.
const LOOKS: u32 = 1000;

/// The live threads that are inside the runtime, but for the calling one.
pub fn inside() -> Vec<u32> {
    let me = crate::tls::block().cast_const();
    let registry = REGISTRY.lock();
    // SAFETY: as above.
    let busy =
        |b: *const Block| b != me && unsafe { (&raw const (*b).inside).read_volatile() } != 0;
    registry
        .blocks
        .iter()
        .filter(|(_, b)| busy(**b))
        .map(|(&n, _)| n)
        .collect()
}

/// Threads that have ended and were neither joined nor detached: one of those
/// created at the same place, and how many they are.
pub fn left_over() -> Vec<(ThreadInfo, usize)> {
    let registry = REGISTRY.lock();
    let mut by_place: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for thread in registry.by_pthread.values() {
        // SAFETY: listed threads have records of their own.
        let (number, farewell) = unsafe {
            (
                (**thread).number,
                (**thread).farewell.load(Ordering::Relaxed),
            )
        };
        if let Some(record) = registry.records.get(number as usize)
            && !record.running
            && record.created_at != 0
            // A detached one may not have come to the end of its end.
            && farewell & DETACHED == 0
        {
            by_place.entry(record.created_at).or_default().push(number);
        }
    }
    drop(registry);
    let first = |numbers: &Vec<u32>| numbers.iter().copied().min();
    let known = by_place
        .values()
        .filter_map(|all| Some((describe(first(all)?)?, all.len())));
    known.collect()
}

/// Has there ever been more than one thread?
#[inline]
pub fn several() -> bool {
    COUNT.load(Ordering::Relaxed) > 1
}

/// In a forked child: the threads that do not exist here are no longer
/// listed. Gives those that were running.
pub(super) fn only_me(me: *mut Thread) -> Vec<*mut Thread> {
    let mut registry = REGISTRY.lock();
    let Registry {
        records,
        by_pthread,
        blocks,
    } = &mut *registry;
    // SAFETY: listed threads have records of their own.
    let number = |thread: *mut Thread| unsafe { (*thread).number };
    let mut running = Vec::new();
    by_pthread.retain(|_, &mut thread| {
        let runs = records
            .get(number(thread) as usize)
            .is_some_and(|r| r.running);
        if runs && thread != me {
            running.push(thread);
        }
        thread == me
    });
    let mine = number(me);
    LIVE.store(1, Ordering::SeqCst);
    blocks.retain(|&number, _| number == mine);
    for (i, record) in records.iter_mut().enumerate() {
        record.running &= i == mine as usize;
    }
    running
}

/// Keeps everybody else out until the process has forked.
pub(crate) fn before_fork() {
    REGISTRY.hold();
}

/// Opens the lock after a fork, in parent and child.
///
/// # Safety
/// As [`SpinLock::force_unlock`].
pub(crate) unsafe fn after_fork() {
    // SAFETY: passed on.
    unsafe { REGISTRY.force_unlock() }
}
