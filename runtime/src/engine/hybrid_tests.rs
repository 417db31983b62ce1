//! The hybrid detector against the definitions, as [`super::traces`] follows
//! them: up to the first finding the engine has to say the same.

use super::tests::takes_short_way;
use super::traces::{
    FLAGS, Found, GRANULES, LOCKS, Reference, Step, THREADS, Touch, section, step, tell,
};
use super::walk::{self, How};
use super::{hb, marks};
use crate::clock::{Clock, Released};
use crate::handover;
use crate::lock::held::At;
use crate::lock::{LockId, Mode};
use crate::lockset::{self, LocksetId};
use crate::log::site::Site;
use crate::recorder::Recorder;
use crate::rewritten::places::Places;
use crate::shadow::word::{self, Word};
use crate::shadow::word_of;
use crate::slot;
use crate::spans::{self, Newest};
use proptest::prelude::*;
use std::ops::Range;
use std::sync::atomic::Ordering;

fn at(site: u64) -> Site {
    Site {
        pc: 0x1000 + site,
        context: crate::stack::ROOT,
        return_address: 0,
        outer: 0,
        free: false,
        fresh: Word::EMPTY,
    }
}

struct Engine {
    recorders: Vec<Recorder>,
    locks: Vec<Released>,
    sets: [LocksetId; THREADS],
    held: [Vec<(LockId, At)>; THREADS],
    since: [u64; LOCKS],
    flags: Vec<Released>,
    granules: Box<[u64; GRANULES]>,
    /// Of each thread, if accesses take the short way of rewritten code.
    places: Option<Vec<Places>>,
    /// Somebody has told others something while it held a lock.
    told_in_section: bool,
}

impl Engine {
    fn new(is_rewritten: bool) -> Engine {
        crate::init::for_tests();
        let recorder = |_| Recorder::new(slot::fresh_for_tests(), Clock::hybrid()).unwrap();
        let granules = Box::new([0; GRANULES]);
        for granule in &*granules {
            word_of(core::ptr::from_ref(granule) as usize).store(0, Ordering::Relaxed);
        }
        Engine {
            recorders: (0..THREADS).map(recorder).collect(),
            locks: vec![Released::new(); LOCKS],
            sets: [LocksetId::EMPTY; THREADS],
            held: [const { Vec::new() }; THREADS],
            since: [0; LOCKS],
            flags: vec![Released::new(); FLAGS],
            granules,
            places: is_rewritten.then(|| (0..THREADS).map(|_| Places::default()).collect()),
            told_in_section: false,
        }
    }

    fn toggle(&mut self, thread: usize, lock: usize, takes: bool) {
        let id = LockId::new(lock as u32 + 1).unwrap();
        let recorder = &mut self.recorders[thread];
        let set = &mut self.sets[thread];
        if takes {
            *set = lockset::add(*set, id, Mode::Write);
            let at = At {
                pc: lock + 1,
                context: crate::stack::ROOT,
            };
            self.held[thread].push((id, at));
            self.since[lock] = recorder.log_end();
            recorder.hold(*set, Newest::new(id, at));
            recorder.acquire_lock(&self.locks[lock]);
        } else {
            *set = lockset::remove(*set, id);
            recorder.release_lock(&mut self.locks[lock], self.since[lock]);
            let at = At {
                pc: 0x100 + lock,
                context: crate::stack::ROOT,
            };
            self.held[thread].retain(|(lock, _)| *lock != id);
            recorder.hold(*set, Newest::new(id, at));
        }
    }

    fn access(&mut self, thread: usize, granule: usize, touch: Touch, site: u64) -> Found {
        let mut site = at(site);
        let touch = word::Touch {
            bytes: touch.bytes,
            write: touch.write,
            atomic: touch.atomic,
        };
        let word = word_of(core::ptr::from_ref(&self.granules[granule]) as usize);
        let recorder = &mut self.recorders[thread];
        if let Some(places) = &mut self.places
            && takes_short_way(&mut places[thread], recorder, word, touch, &mut site)
        {
            return Found::Nothing;
        }
        if touch.atomic && hb::renew(recorder, word, touch, &mut site) {
            return Found::Nothing;
        }
        let conflict = hb::touch::<false>(recorder, word, touch, &site);
        self.found(thread, conflict)
    }

    fn range(&mut self, thread: usize, granules: Range<usize>, write: bool, site: u64) -> Found {
        let bytes = &self.granules[granules];
        let how = How {
            write,
            atomic: false,
        };
        let (start, len) = (bytes.as_ptr() as usize, size_of_val(bytes));
        let met = walk::range(&mut self.recorders[thread], start, len, how, &at(site));
        self.found(thread, met.map(|met| met.conflict))
    }

    fn renew(&mut self, thread: usize, site: u64) -> Found {
        let recorder = &mut self.recorders[thread];
        let start = self.granules.as_ptr() as usize;
        let len = size_of_val(&*self.granules);
        let met = marks::given_back(recorder, start, len, &at(site));
        if met.is_none() {
            marks::handed_out(recorder, start, len, &at(site));
        }
        self.found(thread, met.map(|met| met.conflict))
    }

    fn found(&self, thread: usize, conflict: Option<hb::Conflict>) -> Found {
        match conflict {
            None => Found::Nothing,
            Some(conflict) => {
                self.explain(thread, &conflict);
                if conflict.is_possible {
                    Found::Possible
                } else {
                    Found::Proven
                }
            }
        }
    }

    /// What a report says of a conflict is there to be said.
    fn explain(&self, thread: usize, conflict: &hb::Conflict) {
        let (slot, pos) = (conflict.slot, conflict.entry.pos);
        let locks = spans::locks_at(slot, pos).unwrap();
        for lock in lockset::items(locks).iter().filter_map(|item| item.lock()) {
            let at = spans::taken_at(slot, pos, lock);
            assert_eq!(at.map(|at| at.pc), Some(lock.number() as usize));
        }
        let recorder = &self.recorders[thread];
        let found = handover::to(recorder.slot(), &recorder.clock, slot, pos);
        if conflict.is_possible {
            // Another granule of the same access may have ordered it since.
            let is_ordered = pos < recorder.clock.get(slot);
            assert!(!found.is_empty() || self.told_in_section || is_ordered);
            let first = found.last().copied();
            assert_eq!(
                first.map(|first| first.at.pc),
                first.map(|first| first.lock.number() as usize)
            );
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        for recorder in &self.recorders {
            slot::vacate(recorder.slot(), recorder.log.end());
        }
    }
}

fn compare(steps: &[Step], is_rewritten: bool) {
    let (mut engine, mut reference) = (Engine::new(is_rewritten), Reference::new());
    for (i, step) in steps.iter().enumerate() {
        let (want, got) = match *step {
            Step::Access {
                thread,
                granule,
                touch,
                site,
            } => (
                reference.access(thread, granule, touch),
                engine.access(thread, granule, touch, site),
            ),
            Step::Range {
                thread,
                from,
                to,
                write,
                site,
            } => (
                reference.range(thread, from..to, write),
                engine.range(thread, from..to, write, site),
            ),
            Step::Renew { thread, site } => (reference.renew(thread), engine.renew(thread, site)),
            Step::Toggle { thread, lock } => {
                if let Some(takes) = reference.toggle(thread, lock) {
                    engine.toggle(thread, lock, takes);
                }
                continue;
            }
            Step::Release { thread, flag } => {
                reference.release(thread, flag);
                engine.recorders[thread].release(&mut engine.flags[flag]);
                engine.told_in_section |= reference.holds_any(thread);
                continue;
            }
            Step::Acquire { thread, flag } => {
                reference.acquire(thread, flag);
                engine.recorders[thread].acquire(&engine.flags[flag]);
                continue;
            }
        };
        let same = (got == Found::Nothing) == (want == Found::Nothing);
        assert!(same, "step {i}: {got:?} for {want:?} in {steps:#?}");
        if want != Found::Nothing {
            // One access may meet several; which is told is free.
            assert!(want == Found::Proven || got == want, "step {i}: {got:?}");
            return;
        }
    }
}

/// A thread listens, takes a lock, tells others something while it has it or
/// listens once more, perhaps goes from this lock to another, and goes on; which
/// of these it does is chance.
fn telling() -> impl Strategy<Value = Vec<Step>> {
    let granules = || prop::collection::vec((0..GRANULES, any::<bool>()), 0..3);
    let which = (0..THREADS, 0..2usize, 0..FLAGS, 0..LOCKS);
    let chances = (any::<bool>(), any::<bool>(), prop::bool::weighted(0.9));
    let inside_chances = (prop::bool::weighted(0.3), prop::bool::weighted(0.3));
    let touches = (granules(), granules(), granules());
    (which, chances, inside_chances, touches).prop_map(
        |(
            (thread, lock, flag, other),
            (listens, tells, locks),
            (learns, crosses),
            (before, inside, behind),
        )| {
            let touches = |granules: Vec<(usize, bool)>| {
                granules
                    .into_iter()
                    .map(move |(granule, write)| access(thread, granule, 0xff, write))
            };
            let toggle = locks.then_some(Step::Toggle { thread, lock });
            let crossing = crosses.then_some(Step::Toggle {
                thread,
                lock: other,
            });
            let listening = Step::Acquire { thread, flag };
            let telling = tells.then_some(Step::Release { thread, flag });
            let first = listens.then_some(listening.clone()).into_iter();
            let steps = first.chain(toggle.clone()).chain(touches(before));
            // From one lock to the other, with both for a moment.
            let (early, late) = match crossing.clone() {
                Some(_) => (toggle, crossing.clone()),
                None => (None, toggle),
            };
            let steps = steps.chain(telling).chain(crossing).chain(early);
            let steps = steps.chain(touches(inside));
            let steps = steps.chain(learns.then_some(listening)).chain(late);
            steps.chain(touches(behind)).collect()
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn same_findings_as_the_definitions(steps in prop::collection::vec(step(), 1..60)) {
        compare(&steps, false);
    }

    #[test]
    fn same_findings_section_by_section(sections in prop::collection::vec(section(), 1..40)) {
        compare(&sections.concat(), false);
    }

    #[test]
    fn same_findings_in_rewritten_code(sections in prop::collection::vec(section(), 1..40)) {
        compare(&sections.concat(), true);
    }

    #[test]
    fn same_findings_of_what_is_told_in_sections(parts in prop::collection::vec(telling(), 1..12)) {
        compare(&parts.concat(), false);
    }
}

fn write(thread: usize, granule: usize) -> Step {
    access(thread, granule, 0xff, true)
}

fn access(thread: usize, granule: usize, bytes: u8, write: bool) -> Step {
    let touch = Touch {
        bytes,
        write,
        atomic: false,
    };
    Step::Access {
        thread,
        granule,
        touch,
        site: 1,
    }
}

fn toggle(thread: usize) -> Step {
    Step::Toggle { thread, lock: 0 }
}

/// A thread touches, by arrangement, what another one has touched in a critical
/// section that is not over.
#[test]
fn a_section_keeps_its_conflicts_while_others_use_the_same() {
    let mut steps = vec![toggle(0), write(0, 0)];
    steps.extend(tell(0, 1, 0));
    steps.push(write(1, 0));
    steps.extend(tell(1, 0, 1));
    steps.extend([toggle(0), toggle(2), write(2, 0)]);
    compare(&steps, false);
    assert_eq!(finding(&steps), Found::Nothing);
}

#[test]
fn a_section_conflicts_whether_or_not_the_access_is_ordered_anyway() {
    let mut steps = vec![toggle(0), write(0, 0)];
    steps.extend(tell(0, 1, 0));
    steps.extend([write(0, 1), toggle(0)]);
    steps.extend([toggle(1), write(1, 0), toggle(1), write(1, 1)]);
    compare(&steps, false);
    assert_eq!(finding(&steps), Found::Nothing);
}

/// Who has heard of a critical section that is not over, and waits for its lock,
/// comes after its end, whatever they do with the lock; but not if it was told
/// before the section began.
#[test]
fn who_heard_of_a_section_and_takes_its_lock_comes_after_it() {
    for (told_inside, found) in [(true, Found::Nothing), (false, Found::Possible)] {
        let mut steps = Vec::new();
        let telling = tell(0, 1, 0);
        if told_inside {
            steps.push(toggle(0));
            steps.extend(telling);
        } else {
            steps.extend(telling);
            steps.push(toggle(0));
        }
        steps.extend([write(0, 0), toggle(0), toggle(1), toggle(1), write(1, 0)]);
        assert_eq!(finding(&steps), found);
        compare(&steps, false);
    }
}

/// The same, of what it has heard of a part of the section in which another lock
/// was held as well.
#[test]
fn who_heard_of_a_section_under_two_locks_comes_after_all_of_it() {
    let other = |thread| Step::Toggle { thread, lock: 1 };
    let mut steps = vec![toggle(0), other(0), write(0, 0), toggle(0)];
    steps.extend([write(0, 1), other(0)]);
    steps.extend([toggle(1), write(1, 0), other(1), other(1), write(1, 1)]);
    assert_eq!(finding(&steps), Found::Nothing);
    compare(&steps, false);
}

/// Also if nothing was touched while both were held.
#[test]
fn a_section_that_overlaps_another_is_told_from_what_was_before() {
    let other = |thread| Step::Toggle { thread, lock: 1 };
    let mut steps = vec![other(0), access(0, 0, 0xff, false), toggle(0), other(0)];
    steps.extend([write(0, 1), toggle(0)]);
    steps.extend([toggle(1), other(1), write(1, 0), toggle(1), write(1, 1)]);
    assert_eq!(finding(&steps), Found::Nothing);
    compare(&steps, false);
}

/// What the thread of the section knew as a matter of locks only, who comes after
/// it knows so, too.
#[test]
fn who_comes_after_a_section_knows_what_locks_have_ordered_before() {
    let (other, third) = (
        |thread| Step::Toggle { thread, lock: 1 },
        |thread| Step::Toggle { thread, lock: 2 },
    );
    let [telling, hearing] = tell(1, 2, 0);
    let mut steps = vec![third(0), write(0, 0), third(0)];
    steps.extend([other(1), telling, third(1), other(1), third(1)]);
    steps.extend([hearing, other(2), access(2, 0, 0xff, false)]);
    assert_eq!(finding(&steps), Found::Possible);
    compare(&steps, false);
}

/// The same, of what it hears while it has the lock itself.
#[test]
fn who_hears_of_the_section_before_comes_after_it() {
    for (hears, found) in [(true, Found::Nothing), (false, Found::Possible)] {
        let [telling, hearing] = tell(0, 1, 0);
        let mut steps = vec![toggle(0), telling, write(0, 0), toggle(0)];
        steps.push(toggle(1));
        steps.extend(hears.then_some(hearing));
        steps.extend([toggle(1), write(1, 0)]);
        assert_eq!(finding(&steps), found);
        compare(&steps, false);
    }
}

/// Two threads have read bytes, under different locks. That one of them goes on
/// with other bytes makes neither read superfluous.
#[test]
fn reads_of_others_do_not_stand_for_ones_own() {
    for is_rewritten in [false, true] {
        let mut steps = vec![
            Step::Toggle { thread: 0, lock: 1 },
            access(0, 0, 0xff, false),
        ];
        steps.push(Step::Toggle { thread: 0, lock: 1 });
        steps.extend([toggle(1), access(1, 0, 0x0f, false)]);
        steps.extend([access(1, 0, 0xf0, false), toggle(1)]);
        for bytes in [0x01, 0x02, 0x10, 0x20, 0x40, 0x80] {
            let is_first = bytes == 0x01;
            steps.extend([toggle(0), access(0, 0, bytes, is_first), toggle(0)]);
        }
        steps.extend([toggle(1), access(1, 0, 0x0c, true)]);
        assert_eq!(finding(&steps), Found::Possible);
        compare(&steps, is_rewritten);
    }
}

/// What the last step finds by definition.
fn finding(steps: &[Step]) -> Found {
    let mut reference = Reference::new();
    let mut found = Found::Nothing;
    for step in steps {
        match *step {
            Step::Access {
                thread,
                granule,
                touch,
                ..
            } => found = reference.access(thread, granule, touch),
            Step::Range {
                thread,
                from,
                to,
                write,
                ..
            } => found = reference.range(thread, from..to, write),
            Step::Renew { thread, .. } => found = reference.renew(thread),
            Step::Toggle { thread, lock } => {
                reference.toggle(thread, lock);
            }
            Step::Release { thread, flag } => reference.release(thread, flag),
            Step::Acquire { thread, flag } => reference.acquire(thread, flag),
        }
    }
    found
}
