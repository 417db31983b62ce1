//! Stretches of granules with the same history.
//!
//! A loop over an array leaves the same record on all of its granules, and the
//! next one meets them all alike. What becomes of such a word is decided once,
//! then all that follow and are equal to it are replaced together, two words an
//! instruction. As with [`super::hb::publish_own`], a record that another
//! thread leaves there in the same nanoseconds may be lost; the two then meet
//! at the next granule.

use crate::recorder::Recorder;
use crate::shadow::beside;
use crate::shadow::word::{Beside, Touch, Word};
use core::arch::x86_64::{
    __m128i, _mm_add_epi64, _mm_and_si128, _mm_cmpeq_epi32, _mm_loadu_si128, _mm_movemask_epi8,
    _mm_or_si128, _mm_set1_epi64x, _mm_setzero_si128, _mm_storeu_si128, _mm_sub_epi64,
};
use core::sync::atomic::{AtomicU64, Ordering, compiler_fence};

/// What becomes of a granule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    /// Its new word.
    new: Word,
    /// What goes into the first place beside it, which is left alone if this is
    /// empty.
    beside: Word,
}

impl Step {
    /// A word, and what is beside it stays as it is.
    pub(super) fn to(new: Word) -> Step {
        Step {
            new,
            beside: Word::EMPTY,
        }
    }
}

/// What `touch` of all bytes, whose record is `fresh`, makes of a granule with
/// the word `old`, if nobody but this thread has to do with it and nothing has
/// to be looked at but the word.
#[inline]
pub(super) fn step(recorder: &Recorder, old: Word, touch: Touch, fresh: Word) -> Option<Step> {
    debug_assert!(touch.bytes == 0xff && !touch.atomic);
    if old == Word::EMPTY {
        return Some(Step::to(fresh));
    }
    if old.slot() != recorder.slot() {
        return None;
    }
    if old.is_mark() {
        return old.is_handed_out().then_some(Step::to(fresh));
    }
    let beside = old.beside();
    if touch.write {
        // Nothing counts any more.
        return (beside != Beside::Cell).then_some(Step::to(fresh));
    }
    if old.written() == 0 {
        // What is beside an earlier read, and counts, counts beside this one.
        return (beside != Beside::Cell).then_some(Step::to(fresh.next_to(beside)));
    }
    if beside != Beside::Nothing || old.pos() >= recorder.segment() {
        return None;
    }
    Some(Step {
        new: fresh.next_to(Beside::Record),
        beside: old.trimmed(touch),
    })
}

/// Replaces the words from `word` on that are equal to its value `old`, `limit`
/// at most, as `step` says; how many.
pub(super) fn replace(word: &AtomicU64, limit: usize, old: Word, step: Step) -> usize {
    if step.beside == Word::EMPTY {
        return replace_words(word, limit, old, step.new, None);
    }
    let Some([first, _]) = beside::places(word) else {
        // Without memory the newest record alone is kept.
        return replace_words(word, limit, old, step.new.alone(), None);
    };
    let limit = limit.min(beside::left_in_region(word));
    replace_words(word, limit, old, step.new, Some((first, step.beside)))
}

/// As [`replace`]; what `beside` says goes into the place it names and those
/// that follow.
#[inline]
fn replace_words(
    word: &AtomicU64,
    limit: usize,
    old: Word,
    new: Word,
    beside: Option<(&AtomicU64, Word)>,
) -> usize {
    let words = word.as_ptr();
    let places = beside.map(|(first, record)| (first.as_ptr(), record));
    let mut at = 0;
    // SAFETY: SSE2 is part of the architecture. The words of the range are
    // mapped, and so are the places beside them; halves of a vector are words,
    // which the processor never tears, and the compiler keeps the records
    // beside in front of the words that refer to them.
    unsafe {
        let vector = |word: Word| _mm_set1_epi64x(word.0 as i64);
        let (is, becomes) = (vector(old), vector(new));
        let load = |at: usize| _mm_loadu_si128(words.add(at).cast::<__m128i>());
        let is_same = |at: usize| _mm_cmpeq_epi32(load(at), is);
        while at + 4 <= limit {
            let same = _mm_and_si128(is_same(at), is_same(at + 2));
            if _mm_movemask_epi8(same) != 0xffff {
                break;
            }
            if let Some((places, record)) = places {
                _mm_storeu_si128(places.add(at).cast(), vector(record));
                _mm_storeu_si128(places.add(at + 2).cast(), vector(record));
                compiler_fence(Ordering::Release);
            }
            _mm_storeu_si128(words.add(at).cast(), becomes);
            _mm_storeu_si128(words.add(at + 2).cast(), becomes);
            at += 4;
        }
        while at < limit && words.add(at).read_volatile() == old.0 {
            if let Some((places, record)) = places {
                places.add(at).write_volatile(record.0);
            }
            words.add(at).write_volatile(new.0);
            at += 1;
        }
    }
    at
}

/// How many words from `word` on, `limit` at most, have no bit of `covered` in
/// their distance from `current`.
#[inline]
pub(super) fn count_covered(word: &AtomicU64, limit: usize, current: u64, covered: u64) -> usize {
    let words = word.as_ptr().cast_const();
    let mut at = 0;
    // SAFETY: SSE2 is part of the architecture, and all words are mapped. They
    // may change meanwhile, as they may between two loads of a loop.
    unsafe {
        let minus = _mm_sub_epi64(_mm_setzero_si128(), _mm_set1_epi64x(current as i64));
        let mask = _mm_set1_epi64x(covered as i64);
        let bits = |at: usize| {
            let two = _mm_loadu_si128(words.add(at).cast::<__m128i>());
            _mm_and_si128(_mm_add_epi64(two, minus), mask)
        };
        while at + 8 <= limit {
            let low = _mm_or_si128(bits(at), bits(at + 2));
            let high = _mm_or_si128(bits(at + 4), bits(at + 6));
            let zero = _mm_cmpeq_epi32(_mm_or_si128(low, high), _mm_setzero_si128());
            if _mm_movemask_epi8(zero) != 0xffff {
                break;
            }
            at += 8;
        }
        while at < limit && words.add(at).read_volatile().wrapping_sub(current) & covered == 0 {
            at += 1;
        }
    }
    at
}

/// Fills `count` words from `word` on.
#[inline]
pub(super) fn fill(word: &AtomicU64, count: usize, new: Word) {
    let words = word.as_ptr();
    let mut at = 0;
    // SAFETY: as in `replace_words`.
    unsafe {
        let becomes = _mm_set1_epi64x(new.0 as i64);
        while at + 2 <= count {
            _mm_storeu_si128(words.add(at).cast(), becomes);
            at += 2;
        }
        if at < count {
            words.add(at).write_volatile(new.0);
        }
    }
}
