//! The hybrid with an ownership filter.
//!
//! "ThreadSanitizer: data race detection in practice" (Serebryany and
//! Iskhodzhanov, 2009), 4.4.2: all accesses to a cache line are ignored until a
//! second thread accesses it. Most memory is never shared, and what a thread
//! initialises before it passes it on makes no reports; races with what was
//! ignored are missed, too.
//!
//! A granule of a line that has one owner has a mark instead of a record: it
//! looks like a record of the owner's current segment with all bytes written,
//! so that the inlined test finds nothing to do, but has a flag that records
//! never have. The second thread to come removes the marks of the line; from
//! then on the hybrid does what it always does.

use super::hb;
use super::walk::{How, Met};
use crate::log::site::Site;
use crate::recorder::Recorder;
use crate::shadow::word::{Touch, Word};
use crate::shadow::{is_application, word_of};
use core::sync::atomic::{AtomicU64, Ordering};
use racert_abi::word as abi;

/// Bytes of a line.
const LINE: usize = 64;

/// Two older records under a write to all bytes: no record says so.
fn is_mark(word: Word) -> bool {
    let bits = abi::OLDER | abi::OLDER_CELL | abi::ATOMIC | 0xffff;
    word != Word::EMPTY && !word.is_cell() && word.0 & bits == abi::OLDER_CELL
}

/// The mark of the calling thread in its current segment.
fn mark(recorder: &Recorder) -> Word {
    let all = Touch {
        bytes: 0xff,
        write: true,
        atomic: false,
    };
    let record = Word::new(recorder.slot(), recorder.segment(), all);
    Word(record.0 | abi::OLDER_CELL)
}

/// What a line is to a thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Line {
    /// Its own, or nobody's.
    Own,
    /// Another thread's.
    Foreign,
    /// Used by several.
    Open,
}

fn words(addr: usize) -> impl Iterator<Item = &'static AtomicU64> {
    let line = addr & !(LINE - 1);
    (line..line + LINE).step_by(8).map(word_of)
}

fn line(recorder: &Recorder, addr: usize) -> Line {
    let mut result = Line::Own;
    for word in words(addr) {
        let word = Word(word.load(Ordering::Acquire));
        if word == Word::EMPTY {
            continue;
        }
        if !is_mark(word) {
            return Line::Open;
        }
        if word.slot() != recorder.slot() {
            result = Line::Foreign;
        }
    }
    result
}

/// Removes the marks of a line.
fn open(addr: usize) {
    for word in words(addr) {
        let now = word.load(Ordering::Acquire);
        if is_mark(Word(now)) {
            // Whoever changed it meanwhile knew what the line is by then.
            let _ = word.compare_exchange(now, 0, Ordering::AcqRel, Ordering::Relaxed);
        }
    }
}

/// Deals with an access to a granule that has no record yet; `false` if it has
/// one.
fn filter(
    recorder: &mut Recorder,
    addr: usize,
    word: &AtomicU64,
    touch: Touch,
    site: &Site,
) -> bool {
    loop {
        let now = Word(word.load(Ordering::Acquire));
        if now != Word::EMPTY && !is_mark(now) {
            return false;
        }
        let line = line(recorder, addr);
        let new = match line {
            Line::Own => mark(recorder),
            Line::Foreign | Line::Open => recorder.first(touch, site),
        };
        if hb::publish(word, now, new).is_ok() {
            if line == Line::Foreign {
                open(addr);
            }
            return true;
        }
    }
}

/// Checks and records an access to `[addr, addr + len)`.
pub fn access(
    recorder: &mut Recorder,
    addr: usize,
    len: usize,
    how: How,
    site: &Site,
) -> Option<Met> {
    if len == 0 || !is_application(addr, len) {
        return None;
    }
    let (end, mut at, mut met) = (addr + len, addr, None);
    while at < end {
        let granule = at & !7;
        let next = (granule + 8).min(end);
        let touch = Touch {
            bytes: (0xffu8 >> (8 - (next - at))) << (at - granule),
            write: how.write,
            atomic: how.atomic,
        };
        let word = word_of(granule);
        if !filter(recorder, granule, word, touch, site) {
            let conflict = hb::touch::<false>(recorder, word, touch, site);
            met = met.or(conflict.map(|conflict| Met { conflict, granule }));
        }
        at = next;
    }
    met
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Clock;
    use crate::slot;

    #[repr(align(64))]
    struct Line([u64; 8]);

    fn site() -> Site {
        Site {
            pc: 0x1000,
            context: crate::stack::ROOT,
            return_address: 0,
            outer: 0,
            free: false,
            fresh: Word::EMPTY,
        }
    }

    fn write(recorder: &mut Recorder, place: &u64) -> bool {
        let how = How {
            write: true,
            atomic: false,
        };
        let addr = core::ptr::from_ref(place) as usize;
        access(recorder, addr, 8, how, &site()).is_some()
    }

    #[test]
    fn a_line_counts_from_its_second_thread_on() {
        crate::init::for_tests();
        let line = Box::new(Line([0; 8]));
        for word in words(core::ptr::from_ref(&*line) as usize) {
            word.store(0, Ordering::Relaxed);
        }
        let recorder = || Recorder::new(slot::fresh_for_tests(), Clock::hybrid()).unwrap();
        let (mut first, mut second) = (recorder(), recorder());
        assert!(!write(&mut first, &line.0[0]));
        assert!(!write(&mut first, &line.0[5]));
        // What the first did is not known.
        assert!(!write(&mut second, &line.0[0]));
        assert!(!write(&mut second, &line.0[5]));
        // From now on everything counts.
        assert!(write(&mut first, &line.0[0]));
        assert!(!write(&mut first, &line.0[1]));
        assert!(write(&mut second, &line.0[1]));
        for word in words(core::ptr::from_ref(&*line) as usize) {
            word.store(0, Ordering::Relaxed);
        }
        slot::vacate(first.slot(), first.log.end());
        slot::vacate(second.slot(), second.log.end());
    }

    #[test]
    fn marks_are_no_records() {
        for bytes in [0u8, 1, 0xff] {
            let touch = Touch {
                bytes,
                write: true,
                atomic: false,
            };
            assert!(!is_mark(Word::new(3, 4, touch)));
        }
        assert!(!is_mark(Word::EMPTY) && !is_mark(Word::BUSY));
    }
}
