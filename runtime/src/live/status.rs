//! The page that `racert run` reads; see [`racert_abi::status`].

use crate::log::Writer;
use crate::options::Environment;
use crate::os;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicPtr, Ordering};
use racert_abi::status::{Counter, MAGIC, Page, Process, VARIABLE};

static PAGE: AtomicPtr<Page> = AtomicPtr::new(null_mut());
static MINE: AtomicPtr<Process> = AtomicPtr::new(null_mut());

/// Takes part, if `racert run` started this process. Did it?
pub(crate) fn start(environment: &Environment) -> bool {
    let Some(path) = environment.get(VARIABLE) else {
        return false;
    };
    if let Some(page) = os::map_shared(path.as_bytes(), size_of::<Page>()) {
        let page: *mut Page = page.cast();
        // SAFETY: mapped with that size; any bytes make a page.
        if unsafe { (*page).magic } == MAGIC {
            PAGE.store(page, Ordering::Release);
            claim();
        }
    }
    true
}

/// Takes a place for this process.
fn claim() {
    // SAFETY: null or the page, which stays.
    let page = unsafe { PAGE.load(Ordering::Acquire).as_ref() };
    let mine = page.and_then(|page| page.claim(os::getpid()));
    let mine = mine.map_or(null_mut(), |mine| core::ptr::from_ref(mine).cast_mut());
    MINE.store(mine, Ordering::Release);
}

fn mine() -> Option<&'static Process> {
    // SAFETY: null or in the page, which stays.
    unsafe { MINE.load(Ordering::Acquire).as_ref() }
}

/// The calling thread, which records with `log`, has begun.
pub(crate) fn thread_started(log: &Writer) {
    let Some(mine) = mine() else { return };
    mine.threads.fetch_add(1, Ordering::Relaxed);
    let address = log.end_place().addr() as u64;
    let free = |counter: &&Counter| {
        let taken =
            counter
                .address
                .compare_exchange(0, address, Ordering::AcqRel, Ordering::Relaxed);
        taken.is_ok()
    };
    if let Some(counter) = mine.counters.iter().find(free) {
        counter.start.store(log.end(), Ordering::Release);
    }
}

/// The calling thread, which recorded with `log`, ends.
pub(crate) fn thread_ended(log: &Writer) {
    let Some(mine) = mine() else { return };
    mine.threads.fetch_sub(1, Ordering::Relaxed);
    let address = log.end_place().addr() as u64;
    let own = |counter: &&Counter| counter.address.load(Ordering::Relaxed) == address;
    if let Some(counter) = mine.counters.iter().find(own) {
        let start = counter.start.load(Ordering::Relaxed);
        let count = log.end().saturating_sub(start);
        mine.recorded.fetch_add(count, Ordering::Relaxed);
        counter.address.store(0, Ordering::Release);
    }
}

/// A finding was reported; this run proves it, or not.
pub(crate) fn found(proven: bool) {
    let Some(mine) = mine() else { return };
    mine.findings.fetch_add(1, Ordering::Relaxed);
    if !proven {
        mine.possible.fetch_add(1, Ordering::Relaxed);
    }
}

/// The process exits.
pub(crate) fn exiting() {
    let Some(mine) = mine() else { return };
    // The others' numbers, as far as they are still there.
    for counter in &mine.counters {
        let address = counter.address.swap(0, Ordering::AcqRel);
        let mut word = [0; 8];
        if address != 0 && os::read_memory(address, &mut word) == word.len() {
            let start = counter.start.load(Ordering::Relaxed);
            let count = u64::from_le_bytes(word).saturating_sub(start);
            mine.recorded.fetch_add(count, Ordering::Relaxed);
        }
    }
    mine.ended.store(1, Ordering::Release);
}

/// In a forked child, whose thread records with `log`.
pub(crate) fn alone_in_child(log: &Writer) {
    claim();
    thread_started(log);
}
