//! The files that code was loaded from.

use crate::spin::{SpinGuard, SpinLock};
use crate::{internal_error, os, tls};
use core::ffi::{c_int, c_void};
use core::ops::ControlFlow;
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// A file, as the loader describes it.
type Info = libc::dl_phdr_info;
/// Its segments.
type Headers = [libc::Elf64_Phdr];

/// Held while the loader is asked: it has a lock of its own, which stays closed
/// for ever in a forked child if another thread was just asking.
static ASKING: SpinLock<()> = SpinLock::new(());
/// How often to look whether it is open. Nobody waits for it for ever: a thread
/// may have the loader's lock already, in a callback of the program's.
const LOOKS: u32 = 1000;
/// The forking thread has got it.
static HELD: AtomicBool = AtomicBool::new(false);
/// Who holds it, by thread pointer: what a callback calls may ask again.
static ASKER: AtomicUsize = AtomicUsize::new(0);

type Visit = unsafe extern "C" fn(*mut Info, usize, *mut c_void) -> c_int;

/// Has the loader call `visit` with `data` for every loaded file, until that
/// returns something else than 0, which is the result. It may allocate, and
/// take no other lock.
///
/// # Safety
/// The data must be what the callback expects.
pub(crate) unsafe fn walk(visit: Visit, data: *mut c_void) -> c_int {
    let me = tls::thread_pointer();
    if ASKER.load(Ordering::Relaxed) == me {
        // SAFETY: passed on.
        return unsafe { ask(visit, data) };
    }
    let asking = patiently();
    if asking.is_some() {
        ASKER.store(me, Ordering::Relaxed);
    }
    // SAFETY: passed on.
    let result = unsafe { ask(visit, data) };
    if asking.is_some() {
        ASKER.store(0, Ordering::Relaxed);
    }
    result
}

/// What the loader is asked for, and whether that went wrong.
struct Question {
    visit: Visit,
    data: *mut c_void,
    broken: bool,
}

/// As [`walk`]. The loader has its own lock while it calls back: an error of
/// ours that is to be caught waits until it has returned.
///
/// # Safety
/// As [`walk`].
unsafe fn ask(visit: Visit, data: *mut c_void) -> c_int {
    if !internal_error::is_within() {
        // SAFETY: passed on.
        return unsafe { libc::dl_iterate_phdr(Some(visit), data) };
    }
    let mut question = Question {
        visit,
        data,
        broken: false,
    };
    // SAFETY: the callback gets what it expects.
    let result = unsafe { libc::dl_iterate_phdr(Some(answer), (&raw mut question).cast()) };
    if question.broken {
        internal_error::retreat();
    }
    result
}

unsafe extern "C" fn answer(info: *mut Info, size: usize, question: *mut c_void) -> c_int {
    // SAFETY: passed on by `ask`.
    let question = unsafe { &mut *question.cast::<Question>() };
    // SAFETY: as the loader passed them, and the caller of `walk`.
    let visited = || unsafe { (question.visit)(info, size, question.data) };
    let result = internal_error::attempt(visited);
    question.broken = result.is_none();
    result.unwrap_or(1)
}

fn patiently() -> Option<SpinGuard<'static, ()>> {
    for _ in 0..LOOKS {
        let guard = ASKING.try_lock();
        if guard.is_some() {
            return guard;
        }
        os::sched_yield();
    }
    None
}

/// Keeps everybody from asking until the process has forked.
pub(crate) fn before_fork() {
    let held = patiently().map(core::mem::forget).is_some();
    HELD.store(held, Ordering::Relaxed);
}

/// Opens the lock after a fork, in parent and child.
///
/// # Safety
/// As [`SpinLock::force_unlock`].
pub(crate) unsafe fn after_fork() {
    if HELD.swap(false, Ordering::Relaxed) {
        // SAFETY: passed on.
        unsafe { ASKING.force_unlock() }
    }
}

unsafe extern "C" fn look<F>(info: *mut Info, _size: usize, visit: *mut c_void) -> c_int
where
    F: FnMut(&Info, &Headers) -> ControlFlow<()>,
{
    // SAFETY: the loader passes a valid description, and our closure.
    let (info, headers, visit) = unsafe {
        let info = &*info;
        let headers = core::slice::from_raw_parts(info.dlpi_phdr, info.dlpi_phnum as usize);
        (info, headers, &mut *visit.cast::<F>())
    };
    c_int::from(visit(info, headers).is_break())
}

fn until<F>(mut visit: F)
where
    F: FnMut(&Info, &Headers) -> ControlFlow<()>,
{
    // SAFETY: the callback matches what it is given.
    unsafe { walk(look::<F>, (&raw mut visit).cast()) };
}

/// Visits every loaded file.
pub(crate) fn each(mut visit: impl FnMut(&Info, &Headers)) {
    until(|info, headers| {
        visit(info, headers);
        ControlFlow::Continue(())
    });
}

/// Does `address` lie in that file?
pub(crate) fn holds(info: &Info, headers: &Headers, address: usize) -> bool {
    headers.iter().any(|h| {
        let start = (info.dlpi_addr + h.p_vaddr) as usize;
        h.p_type == libc::PT_LOAD && (start..start + h.p_memsz as usize).contains(&address)
    })
}

/// What `ask` says of the file whose code `pc` lies in; `None` without one.
pub(crate) fn module_at<R>(
    pc: usize,
    mut ask: impl FnMut(&Info, &Headers) -> Option<R>,
) -> Option<R> {
    let mut answer = None;
    until(|info, headers| {
        if !holds(info, headers, pc) {
            return ControlFlow::Continue(());
        }
        answer = ask(info, headers);
        ControlFlow::Break(())
    });
    answer
}

/// The dynamic section of a loaded file, if it has one.
pub(crate) fn dynamic_section(info: &Info, headers: &Headers) -> Option<*const [usize; 2]> {
    let segment = headers.iter().find(|h| h.p_type == libc::PT_DYNAMIC)?;
    Some((info.dlpi_addr + segment.p_vaddr) as *const [usize; 2])
}

/// Tags of a dynamic section: where the file's names are, and their size.
const DT_STRTAB: usize = 5;
const DT_STRSZ: usize = 10;

/// The tags and values of a dynamic section.
pub(crate) fn entries(section: *const [usize; 2]) -> impl Iterator<Item = [usize; 2]> {
    // SAFETY: a section of a loaded file, which ends with a zero.
    let at = move |index| unsafe { section.add(index).read() };
    (0..).map(at).take_while(|entry| entry[0] != 0)
}

/// The names of a loaded file's symbols and more, each between zeros; nothing if
/// it does not say where they are.
pub(crate) fn names<'a>(info: &'a Info, headers: &Headers) -> &'a [u8] {
    let Some(section) = dynamic_section(info, headers) else {
        return &[];
    };
    let value = |tag| entries(section).find_map(|[t, value]| (t == tag).then_some(value));
    let (Some(start), Some(len)) = (value(DT_STRTAB), value(DT_STRSZ)) else {
        return &[];
    };
    // As in the file, where the loader could not write.
    let bias = info.dlpi_addr as usize;
    let start = if start < bias { start + bias } else { start };
    let is_mapped = len > 0
        && [start, start + len - 1]
            .iter()
            .all(|at| holds(info, headers, *at));
    if !is_mapped {
        return &[];
    }
    // SAFETY: mapped as long as the file is.
    unsafe { core::slice::from_raw_parts(start as *const u8, len) }
}
