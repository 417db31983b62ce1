//! Accesses that need not be compared with those of others.
//!
//! Most accesses are a thread's next to its own data, or among many that read
//! together. What the engine would do about them takes a few steps here.

use super::places::{self, Places};
use crate::access;
use crate::engine::{self, How, hb, readers};
use crate::log::site::Site;
use crate::recorder::Recorder;
use crate::shadow::planes::Readers;
use crate::shadow::word::{Beside, Touch, Word};
use crate::shadow::{is_application, word_of};
use crate::sync::table;
use crate::thread::Thread;
use core::sync::atomic::{AtomicU64, Ordering};

/// Records a plain access if no other thread's can matter; `false` if the
/// engine has to see it. The code at `site` has a number if it is reduced by
/// `unnumbered`. Then its record is in `site`, if that is known.
#[inline]
pub(super) fn access(
    me: &mut Thread,
    (addr, size): (usize, u32),
    write: bool,
    unnumbered: u64,
    site: &mut Site,
) -> bool {
    let offset = addr & 7;
    // Two granules that are near the same sync variables.
    let is_double = size == 16 && offset == 0 && addr % table::LINE != table::LINE - 8;
    let size = if is_double { 8 } else { size };
    let fits = size <= 8 && offset + size as usize <= 8 && is_application(addr, 16);
    // What has to be seen by the engine, or may be a sync variable.
    if !fits || me.recorder.transitions().is_null() {
        return false;
    }
    if table::is_near(addr) && (is_double || table::find(addr).is_some()) {
        return false;
    }
    let how = How {
        write,
        atomic: false,
    };
    if me.ignores(how) || !me.rewritten.places.is_there() {
        return false;
    }
    let touch = Touch {
        bytes: (0xffu8 >> (8 - size)) << offset,
        write,
        atomic: false,
    };
    let what = places::describe(touch, site, unnumbered);
    for addr in (addr..).step_by(8).take(1 + usize::from(is_double)) {
        let places = &mut me.rewritten.places;
        if !touch_own(places, &mut me.recorder, word_of(addr), touch, what, site) {
            return false;
        }
    }
    access::upkeep(me);
    true
}

/// Does to a granule that is this thread's own, nobody's, or only read, what
/// [`hb::touch`] would; `false` if that has to. The log's entry for the touch
/// alone is `what`.
#[inline]
pub(crate) fn touch_own(
    places: &mut Places,
    recorder: &mut Recorder,
    word: &AtomicU64,
    touch: Touch,
    what: u64,
    site: &mut Site,
) -> bool {
    let old = Word(word.load(Ordering::Acquire));
    let is_own = old.slot() == recorder.slot() && !old.is_mark();
    let is_current = is_own && old.pos() >= recorder.segment();
    if is_current && !old.atomic() && !touch.dominates(old.touch()) {
        if old.covers(touch) {
            return true;
        }
        let new = places.record(recorder, Some(old), touch, what);
        let is_whole = new.written() == 0xff;
        let new = match old.beside() {
            Beside::Two if is_whole => new,
            beside => new.next_to(beside),
        };
        return hb::publish_own(word, old, new).is_ok();
    }
    let readers = Readers::from_word(old).filter(|_| !touch.write);
    let is_recorded = match readers {
        Some(readers) => readers::is_recorded(recorder, word, readers, touch),
        None => old.is_cell() && hb::is_recorded(recorder, word, touch),
    };
    if is_recorded {
        return true;
    }
    let fresh = places.record(recorder, None, touch, what);
    site.fresh = fresh;
    if let Some(readers) = readers {
        return readers::replace(recorder, word, readers, touch, fresh);
    }
    if old == Word::EMPTY {
        return hb::publish(word, old, fresh).is_ok();
    }
    if !is_own || is_current {
        return false;
    }
    let beside = old.beside();
    if touch.dominates(old.touch()) && (beside == Beside::Nothing || !touch.write) {
        // What was kept under a read is kept under the next one.
        return hb::publish_own(word, old, fresh.next_to(beside)).is_ok();
    }
    engine::supersede(recorder, word, old, touch, fresh).is_ok()
}
