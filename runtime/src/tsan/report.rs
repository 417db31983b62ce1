//! Reports as a program can ask for them.
//!
//! `__tsan_on_report`, if the program has one, is called with a finding after
//! it was printed, and may ask about it through these functions. The finding
//! is there for as long as that call lasts.

use super::hook;
use crate::finding::{Access, Finding, Kind, Operation, Place, Stack, ThreadInfo};
use crate::intercept;
use crate::intercept::stub::interceptors;
use crate::lock::finding::{LockFinding, Trouble};
use crate::thread::registry;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ffi::{CStr, c_char, c_int, c_void};
use core::ptr::{null, null_mut};
use core::sync::atomic::{AtomicPtr, Ordering};

interceptors! {
    "__tsan_get_current_report" => current,
    "__tsan_get_report_data" => data,
    "__tsan_get_report_tag" => tag,
    "__tsan_get_report_stack" => stack,
    "__tsan_get_report_mop" => access,
    "__tsan_get_report_loc" => location,
    "__tsan_get_report_loc_object_type" => object_type,
    "__tsan_get_report_mutex" => mutex,
    "__tsan_get_report_thread" => thread,
    "__tsan_get_report_unique_tid" => unique_thread,
    "__tsan_get_alloc_stack" => allocation_stack,
}

/// What a program is told about.
enum Announced<'a> {
    Race(&'a Finding),
    Locks(&'a LockFinding),
}

static CURRENT: AtomicPtr<c_void> = AtomicPtr::new(null_mut());

/// Tells the program about `finding`.
pub(crate) fn announce(finding: &Finding) {
    tell(&Announced::Race(finding));
}

/// Tells the program about a finding about locks.
pub(crate) fn announce_lock(finding: &LockFinding) {
    tell(&Announced::Locks(finding));
}

fn tell(announced: &Announced<'_>) {
    let pointer = core::ptr::from_ref(announced).cast_mut().cast();
    CURRENT.store(pointer, Ordering::Release);
    hook::on_report(pointer);
    CURRENT.store(null_mut(), Ordering::Release);
}

type Report = *const c_void;
type Trace = *mut *mut c_void;

/// Stores `value` where the program wants it.
fn give<T>(place: *mut T, value: T) {
    if !place.is_null() {
        // SAFETY: a variable of the program's, of the type the call says.
        unsafe { place.write(value) };
    }
}

/// Stores a stack, with a null after it if there is room.
fn give_stack(trace: Trace, size: usize, stack: &Stack) {
    if trace.is_null() {
        return;
    }
    let addresses = stack.addresses.iter().map(|a| *a as usize as *mut c_void);
    for (i, address) in addresses.chain([null_mut()]).take(size).enumerate() {
        // SAFETY: within the program's array.
        unsafe { trace.add(i).write(address) };
    }
}

/// What is behind a pointer that the program was given.
fn announced<'a>(report: Report) -> Option<&'a Announced<'a>> {
    // SAFETY: the one being announced, which stays during the call, or null.
    unsafe { report.cast::<Announced<'a>>().as_ref() }
}

/// The race behind a pointer that the program was given.
fn finding<'a>(report: Report) -> Option<&'a Finding> {
    match announced(report)? {
        Announced::Race(finding) => Some(finding),
        Announced::Locks(_) => None,
    }
}

/// As [`finding`], for locks.
fn lock_finding<'a>(report: Report) -> Option<&'a LockFinding> {
    match announced(report)? {
        Announced::Locks(finding) => Some(finding),
        Announced::Race(_) => None,
    }
}

/// What ThreadSanitizer calls it.
fn called(trouble: Trouble) -> &'static CStr {
    match trouble {
        Trouble::OrderInversion | Trouble::Deadlock => c"lock-order-inversion",
        Trouble::DoubleLock | Trouble::Upgrade => c"mutex-double-lock",
        Trouble::UnlockUnlocked | Trouble::UnlockByOther | Trouble::WrongMode => {
            c"mutex-bad-unlock"
        }
        Trouble::DestroyLocked => c"mutex-destroy-locked",
        Trouble::UseDestroyed => c"mutex-invalid-access",
        Trouble::NoneExpected => c"mutex-held-in-wrong-context",
        _ => c"mutex-misuse",
    }
}

extern "C" fn current() -> Report {
    CURRENT.load(Ordering::Acquire)
}

extern "C" fn data(
    report: Report,
    description: *mut *const c_char,
    count: *mut c_int,
    stacks: *mut c_int,
    accesses: *mut c_int,
    locations: *mut c_int,
    mutexes: *mut c_int,
    threads: *mut c_int,
    unique_threads: *mut c_int,
    sleep_trace: Trace,
    trace_size: usize,
) -> c_int {
    if let Some(finding) = lock_finding(report) {
        give(description, called(finding.trouble).as_ptr());
        give(count, 0);
        give(stacks, finding.parts.len() as c_int);
        give(accesses, 0);
        give(locations, 0);
        give(mutexes, finding.locks.len() as c_int);
        give(threads, finding.threads.len() as c_int);
        give(unique_threads, finding.threads.len() as c_int);
        give_stack(sleep_trace, trace_size, &Stack::default());
        return 1;
    }
    let Some(finding) = finding(report) else {
        return 0;
    };
    let called = match finding.kind {
        Kind::DataRace
        | Kind::PossibleRace
        | Kind::Unprotected
        | Kind::AdHocSync
        | Kind::RelaxedSync => c"data-race",
        Kind::UseAfterFreeRace | Kind::UseAfterFree => c"heap-use-after-free",
        Kind::VptrRace => c"data-race-vptr",
        Kind::DescriptorRace => c"fd-race",
    };
    give(description, called.as_ptr());
    give(count, 0);
    give(stacks, 0);
    give(accesses, finding.accesses.len() as c_int);
    give(locations, 1);
    give(mutexes, 0);
    give(threads, finding.threads.len() as c_int);
    give(unique_threads, unique(finding).len() as c_int);
    give_stack(sleep_trace, trace_size, &Stack::default());
    1
}

extern "C" fn tag(_report: Report, tag: *mut usize) -> c_int {
    give(tag, 0);
    1
}

/// Every stack of a race belongs to an access.
extern "C" fn stack(report: Report, index: usize, trace: Trace, size: usize) -> c_int {
    let part = lock_finding(report).and_then(|finding| finding.parts.get(index));
    let none = Stack::default();
    give_stack(trace, size, part.map_or(&none, |part| &part.stack));
    c_int::from(part.is_some())
}

extern "C" fn access(
    report: Report,
    index: usize,
    thread: *mut c_int,
    address: *mut *mut c_void,
    size: *mut c_int,
    write: *mut c_int,
    atomic: *mut c_int,
    trace: Trace,
    trace_size: usize,
) -> c_int {
    let Some(access) = finding(report).and_then(|f| f.accesses.get(index)) else {
        return 0;
    };
    let Access { operation, .. } = access;
    let writes = !matches!(
        operation,
        Operation::Read | Operation::AtomicRead | Operation::UseDescriptor
    );
    let is_atomic = matches!(operation, Operation::AtomicRead | Operation::AtomicWrite);
    give(thread, access.thread as c_int);
    give(address, access.address as usize as *mut c_void);
    give(size, access.size as c_int);
    give(write, c_int::from(writes));
    give(atomic, c_int::from(is_atomic));
    give_stack(trace, trace_size, &access.stack);
    1
}

extern "C" fn location(
    report: Report,
    index: usize,
    kind: *mut *const c_char,
    address: *mut *mut c_void,
    start: *mut usize,
    size: *mut usize,
    thread: *mut c_int,
    descriptor: *mut c_int,
    suppressable: *mut c_int,
    trace: Trace,
    trace_size: usize,
) -> c_int {
    let Some(finding) = finding(report).filter(|_| index == 0) else {
        return 0;
    };
    let none = Stack::default();
    let (called, owner, block, stack): (&CStr, u32, (u64, u64), &Stack) = match &finding.place {
        Place::Heap {
            start,
            size,
            thread,
            stack,
            ..
        } => (c"heap", *thread, (*start, *size), stack),
        Place::ThreadStack { thread } => (c"stack", *thread, (0, 0), &none),
        Place::ThreadLocal { thread, .. } => (c"tls", *thread, (0, 0), &none),
        Place::StaticBuffer { .. } => (c"global", 0, (0, 0), &none),
        Place::Descriptor { .. } => (c"fd", 0, (0, 0), &none),
        Place::Other => (c"global", 0, (0, 0), &none),
    };
    let [first, second] = finding.accesses.each_ref().map(|access| access.address);
    give(kind, called.as_ptr());
    give(address, first.max(second) as usize as *mut c_void);
    give(start, block.0 as usize);
    give(size, block.1 as usize);
    give(thread, owner as c_int);
    let number = match finding.place {
        Place::Descriptor { number } => number as c_int,
        _ => 0,
    };
    give(descriptor, number);
    give(suppressable, 0);
    give_stack(trace, trace_size, stack);
    1
}

extern "C" fn object_type(_report: Report, _index: usize, kind: *mut *const c_char) -> c_int {
    give(kind, c"".as_ptr());
    1
}

extern "C" fn mutex(
    report: Report,
    index: usize,
    id: *mut u64,
    address: *mut *mut c_void,
    destroyed: *mut c_int,
    trace: Trace,
    trace_size: usize,
) -> c_int {
    let Some(lock) = lock_finding(report).and_then(|finding| finding.locks.get(index)) else {
        return 0;
    };
    give(id, index as u64 + 1);
    give(address, lock.address as usize as *mut c_void);
    give(destroyed, c_int::from(lock.destroyed.is_some()));
    give_stack(trace, trace_size, &lock.created);
    1
}

extern "C" fn thread(
    report: Report,
    index: usize,
    number: *mut c_int,
    os_id: *mut u64,
    running: *mut c_int,
    name: *mut *const c_char,
    creator: *mut c_int,
    trace: Trace,
    trace_size: usize,
) -> c_int {
    let threads = match announced(report) {
        Some(Announced::Race(finding)) => &finding.threads[..],
        Some(Announced::Locks(finding)) => &finding.threads[..],
        None => &[],
    };
    let Some(thread) = threads.get(index) else {
        return 0;
    };
    give(number, thread.number as c_int);
    give(os_id, u64::from(thread.os_id));
    give(running, c_int::from(thread.running));
    give(name, lasting_name(thread));
    let none = Stack::default();
    let (by, stack) = match &thread.created {
        Some((by, stack)) => (*by, stack),
        None => (0, &none),
    };
    give(creator, by as c_int);
    give_stack(trace, trace_size, stack);
    1
}

/// The name as a C string that stays; findings are few.
fn lasting_name(thread: &ThreadInfo) -> *const c_char {
    let Some(name) = &thread.name else {
        return null();
    };
    let bytes: Vec<u8> = name.bytes().filter(|b| *b != 0).chain([0]).collect();
    Box::leak(bytes.into_boxed_slice()).as_ptr().cast()
}

/// The threads that made the accesses, each once.
fn unique(finding: &Finding) -> Vec<u32> {
    let mut numbers: Vec<u32> = finding.accesses.iter().map(|a| a.thread).collect();
    numbers.dedup();
    numbers
}

extern "C" fn unique_thread(report: Report, index: usize, number: *mut c_int) -> c_int {
    let thread = finding(report).and_then(|f| unique(f).get(index).copied());
    give(number, thread.unwrap_or(0) as c_int);
    c_int::from(thread.is_some())
}

/// Where the heap block at `addr` was allocated; how many frames that has.
extern "C" fn allocation_stack(
    addr: usize,
    trace: Trace,
    size: usize,
    thread: *mut c_int,
    os_id: *mut u64,
) -> c_int {
    let Some(block) = intercept::find_block(addr) else {
        return 0;
    };
    let stack = crate::stack::resolve(block.stack);
    give(thread, block.thread as c_int);
    let known = registry::describe(block.thread);
    give(os_id, known.map_or(0, |thread| u64::from(thread.os_id)));
    give_stack(trace, size, &stack);
    stack.addresses.len().min(size) as c_int
}
