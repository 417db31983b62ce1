//! Memory that the heap hands out and takes back.
//!
//! Both count as a write to all of it by the thread that asked, so that a block
//! which another thread learns of without being ordered after its allocation,
//! or uses without being ordered before its release, is a race. They leave a
//! mark instead of a record. What is handed out is the program's: the first
//! ordered access replaces the mark. What was given back is nobody's: any
//! access is an error, ordered or not, until the heap hands it out again.

use super::hb::{self, Conflict, Verdict, judge, publish, publish_own};
use super::hybrid;
use super::runs::{self, Step};
use super::walk::Met;
use crate::log::entry::Chain;
use crate::log::site::Site;
use crate::recorder::Recorder;
use crate::shadow::word::{Beside, Touch, Word};
use crate::shadow::{is_application, word_of};
use core::sync::atomic::{AtomicU64, Ordering};

/// What handing out does to a granule. Atomic accesses do not conflict with it.
const HANDED_OUT: Touch = Touch {
    bytes: 0xff,
    write: true,
    atomic: true,
};

/// What giving back does to a granule.
const GIVEN_BACK: Touch = Touch {
    bytes: 0xff,
    write: true,
    atomic: false,
};

/// The first granule of a block and how many there are; the heap leaves no room
/// between its end and that of its last granule.
fn granules(addr: usize, len: usize) -> (usize, usize) {
    let is_known = len != 0 && is_application(addr, len);
    let end = if is_known { addr + len } else { addr };
    (addr & !7, (end - (addr & !7)).div_ceil(8))
}

/// `[addr, addr + len)`, about which nothing is recorded, was handed out at
/// `site`.
pub(super) fn handed_out(recorder: &mut Recorder, addr: usize, len: usize, site: &Site) {
    let mark = recorder.first(HANDED_OUT, site).mark(true);
    let (first, count) = granules(addr, len);
    runs::fill(word_of(first), count, mark);
}

/// Checks that `[addr, addr + len)` may be given back at `site`, and marks it.
pub(super) fn given_back(
    recorder: &mut Recorder,
    addr: usize,
    len: usize,
    site: &Site,
) -> Option<Met> {
    let fresh = recorder.first(GIVEN_BACK, site);
    let mark = fresh.mark(false);
    let mut met = None;
    let (first, count) = granules(addr, len);
    let mut done = 0;
    while done < count {
        let granule = first + 8 * done;
        let word = word_of(granule);
        let old = Word(word.load(Ordering::Acquire));
        // What stands beside an own record is ordered before it, and goes, too.
        let is_own = old.slot() == recorder.slot() && old.beside() != Beside::Cell;
        if old == Word::EMPTY || is_own {
            done += runs::replace(word, count - done, old, Step::to(mark));
            continue;
        }
        let conflict = hb::touch::<false>(recorder, word, GIVEN_BACK, site);
        met = met.or(conflict.map(|conflict| Met { conflict, granule }));
        // Unless others are there already.
        let _ = publish(word, fresh, mark);
        done += 1;
    }
    met
}

/// What an access to a granule with the mark `old` is filed under.
#[inline]
pub(super) fn filed(recorder: &Recorder, old: Word) -> Word {
    let is_own = old.slot() == recorder.slot() && old.pos() >= recorder.segment();
    if is_own && old.is_handed_out() {
        old
    } else {
        Word::EMPTY
    }
}

/// `touch`, whose record is `new`, of a granule with the mark `old`. `Err`
/// gives the word to start over with.
pub(super) fn touch(
    recorder: &mut Recorder,
    word: &AtomicU64,
    old: Word,
    touch: Touch,
    new: Word,
) -> Result<Option<Conflict>, Word> {
    if !old.is_handed_out() {
        let conflict = after_return(recorder, old, touch);
        return publish(word, old, new).map(|()| conflict);
    }
    if old.slot() == recorder.slot() {
        return publish_own(word, old, new).map(|()| None);
    }
    match compare(recorder, old, touch) {
        Verdict::Race(conflict, _) => publish(word, old, new).map(|()| Some(conflict)),
        Verdict::Ordered(_) => publish(word, old, new).map(|()| None),
        Verdict::Unordered => {
            // It still counts for others.
            let record = old.written_by_heap();
            publish(word, old, record)?;
            Err(record)
        }
    }
}

/// Compares `touch` with what the heap did.
fn compare(recorder: &mut Recorder, mark: Word, touch: Touch) -> Verdict {
    let record = mark.written_by_heap();
    hybrid::order_after_conflicts(recorder, [record].into_iter(), touch);
    judge(recorder, record, touch)
}

/// The conflict of `touch` with the return of the granule to the heap.
#[cold]
fn after_return(recorder: &mut Recorder, mark: Word, touch: Touch) -> Option<Conflict> {
    let (slot, pos) = (mark.slot(), mark.pos());
    let is_ordered = slot == recorder.slot() || pos < recorder.clock.get_strong(slot);
    if !is_ordered {
        return match compare(recorder, mark, touch) {
            Verdict::Race(conflict, _) => Some(conflict),
            Verdict::Ordered(_) | Verdict::Unordered => None,
        };
    }
    let entry = Chain::new(slot, pos).next()?;
    Some(Conflict {
        slot,
        entry,
        is_possible: false,
        is_late: true,
    })
}
