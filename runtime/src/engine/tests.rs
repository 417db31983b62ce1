//! The engine against a slow reference that recomputes happens-before from the
//! whole trace.
//!
//! The reference keeps every access ever made, with the full vector clock of
//! its thread at that moment, and looks at all of them for every new access.
//! Up to and including the first race on a byte the engine has to say the same,
//! access by access.

use super::hb;
use super::walk::{self, How};
use crate::clock::{Clock, Released};
use crate::log::site::Site;
use crate::recorder::Recorder;
use crate::rewritten::granule::Known;
use crate::rewritten::places::{self, Places};
use crate::rewritten::{granule, repeat};
use crate::shadow::word::{Touch, Word};
use crate::shadow::word_of;
use crate::slot;
use proptest::prelude::*;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

const THREADS: usize = 12;
/// Most traces are of these alone: they meet more often.
const FEW: usize = 4;
const GRANULES: usize = 6;
const LOCKS: usize = 3;

#[derive(Clone, Debug)]
enum Step {
    Access {
        thread: usize,
        granule: usize,
        touch: Touch,
        site: u64,
    },
    /// All bytes of neighbouring granules.
    Range {
        thread: usize,
        granules: Range<usize>,
        write: bool,
        site: u64,
    },
    /// Replaces what the lock publishes.
    Release {
        thread: usize,
        lock: usize,
    },
    /// Adds to what the lock publishes.
    ReleaseJoin {
        thread: usize,
        lock: usize,
    },
    Acquire {
        thread: usize,
        lock: usize,
    },
}

fn step(sites: Range<u64>) -> impl Strategy<Value = Step> {
    let thread = 0..FEW;
    let bytes = prop::sample::select(vec![0xffu8, 0x0f, 0xf0, 0x01, 0x18, 0x80]);
    let touch =
        (bytes, any::<bool>(), prop::bool::weighted(0.2)).prop_map(|(bytes, write, atomic)| {
            Touch {
                bytes,
                write,
                atomic,
            }
        });
    // Few of the granules get most of the single accesses.
    let granule = prop_oneof![0..3usize, 0..GRANULES];
    prop_oneof![
        6 => (thread.clone(), granule, touch, sites).prop_map(
            |(thread, granule, touch, site)| Step::Access { thread, granule, touch, site }
        ),
        2 => (thread.clone(), 0..GRANULES, 1..=GRANULES, any::<bool>(), 6u64..9).prop_map(
            |(thread, first, count, write, site)| Step::Range {
                thread,
                granules: first..GRANULES.min(first + count),
                write,
                site,
            }
        ),
        3 => (thread.clone(), 0..LOCKS).prop_map(|(thread, lock)| Step::Release { thread, lock }),
        1 => (thread.clone(), 0..LOCKS)
            .prop_map(|(thread, lock)| Step::ReleaseJoin { thread, lock }),
        4 => (thread, 0..LOCKS).prop_map(|(thread, lock)| Step::Acquire { thread, lock }),
    ]
}

/// Many threads that mostly read one granule.
fn reading() -> impl Strategy<Value = Step> {
    let thread = 0..THREADS;
    let bytes = prop::sample::select(vec![0xffu8, 0x0f, 0xf0]);
    let (write, atomic) = (prop::bool::weighted(0.05), prop::bool::weighted(0.03));
    let touch = (bytes, write, atomic).prop_map(|(bytes, write, atomic)| Touch {
        bytes,
        write,
        atomic,
    });
    prop_oneof![
        6 => (thread.clone(), touch, 1u64..4).prop_map(|(thread, touch, site)| {
            Step::Access { thread, granule: 0, touch, site }
        }),
        2 => thread.clone().prop_map(|thread| Step::ReleaseJoin { thread, lock: 0 }),
        1 => thread.prop_map(|thread| Step::Acquire { thread, lock: 0 }),
    ]
}

/// A critical section, mostly of the same thread and lock, that touches parts of
/// a few granules: many records come together there.
fn section() -> impl Strategy<Value = Vec<Step>> {
    let bytes = prop::sample::select(vec![0x01u8, 0x02, 0x0c, 0x0f, 0x30, 0x80, 0xf0, 0xff]);
    let atomic = prop::bool::weighted(0.03);
    let touch =
        (bytes, prop::bool::weighted(0.25), atomic).prop_map(|(bytes, write, atomic)| Touch {
            bytes,
            write,
            atomic,
        });
    let thread = prop_oneof![5 => Just(0), 2 => Just(1), 1 => 0..FEW];
    let lock = prop_oneof![5 => Just(0), 1 => 0..LOCKS];
    let touches = prop::collection::vec((0..2usize, touch), 1..4);
    let is_taken = prop::bool::weighted(0.9);
    (thread, lock, touches, is_taken).prop_map(|(thread, lock, touches, is_taken)| {
        let taking = is_taken.then_some(Step::Acquire { thread, lock });
        let accesses = touches.into_iter().map(|(granule, touch)| Step::Access {
            thread,
            granule,
            touch,
            site: 1,
        });
        let steps = taking.into_iter().chain(accesses);
        steps.chain([Step::Release { thread, lock }]).collect()
    })
}

/// Happens-before as the definition has it.
#[derive(Default)]
struct Reference {
    clocks: [[u64; THREADS]; THREADS],
    locks: [[u64; THREADS]; LOCKS],
    /// Thread, its own time, granule, touch.
    history: Vec<(usize, u64, usize, Touch)>,
}

impl Reference {
    fn new() -> Reference {
        let mut new = Reference::default();
        for (i, clock) in new.clocks.iter_mut().enumerate() {
            clock[i] = 1;
        }
        new
    }

    fn join(into: &mut [u64; THREADS], from: &[u64; THREADS]) {
        for (a, b) in into.iter_mut().zip(from) {
            *a = (*a).max(*b);
        }
    }

    /// The bytes of the granule at which the access races with an earlier one.
    fn access(&mut self, thread: usize, granule: usize, touch: Touch) -> u8 {
        let clock = self.clocks[thread];
        let rivals = self.history.iter().filter(|(other, time, place, earlier)| {
            *place == granule && clock[*other] < *time && earlier.conflicts(touch)
        });
        let bytes = rivals.fold(0, |bytes, (.., earlier)| bytes | earlier.bytes);
        self.history.push((thread, clock[thread], granule, touch));
        bytes & touch.bytes
    }

    /// The bytes of each granule at which the step races with an earlier access.
    fn step(&mut self, step: &Step) -> [u8; GRANULES] {
        let mut races = [0; GRANULES];
        match *step {
            Step::Access {
                thread,
                granule,
                touch,
                ..
            } => races[granule] = self.access(thread, granule, touch),
            Step::Range {
                thread,
                ref granules,
                write,
                ..
            } => {
                let touch = Touch {
                    bytes: 0xff,
                    write,
                    atomic: false,
                };
                for granule in granules.clone() {
                    races[granule] = self.access(thread, granule, touch);
                }
            }
            Step::Release { thread, lock } => {
                self.locks[lock] = self.clocks[thread];
                self.clocks[thread][thread] += 1;
            }
            Step::ReleaseJoin { thread, lock } => {
                Self::join(&mut self.locks[lock], &self.clocks[thread]);
                self.clocks[thread][thread] += 1;
            }
            Step::Acquire { thread, lock } => {
                Self::join(&mut self.clocks[thread], &self.locks[lock]);
            }
        }
        races
    }
}

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

/// Takes the short way of rewritten code, if there is one.
pub(super) fn takes_short_way(
    places: &mut Places,
    recorder: &mut Recorder,
    word: &AtomicU64,
    touch: Touch,
    site: &mut Site,
) -> bool {
    if touch.atomic {
        return false;
    }
    assert!(places.is_there());
    // Every third place has a stack of its own, as where there are no numbers.
    let unnumbered = if site.pc.is_multiple_of(3) {
        site.pc + 1
    } else {
        0
    };
    let what = places::describe(touch, site, unnumbered);
    match granule::touch_known(places, recorder, word, touch, what) {
        Known::Done => true,
        Known::Record(record) => {
            site.fresh = record;
            false
        }
        Known::Not => repeat::touch_own(places, recorder, word, touch, what, site),
    }
}

/// A loop over bytes needs entries for the bytes of one granule, however many it
/// touches.
#[test]
fn loops_in_rewritten_code_share_their_entries() {
    crate::init::for_tests();
    let mut recorder = Recorder::new(slot::fresh_for_tests(), Clock::new()).unwrap();
    let mut places = Places::default();
    let before = recorder.log.end();
    let words: Vec<AtomicU64> = (0..1000).map(|_| AtomicU64::new(0)).collect();
    for word in &words {
        for byte in 0..8 {
            let touch = Touch {
                bytes: 1 << byte,
                write: true,
                atomic: false,
            };
            let mut site = at(1);
            assert!(takes_short_way(
                &mut places,
                &mut recorder,
                word,
                touch,
                &mut site
            ));
        }
    }
    // The first is a word, the others go on from it and are two.
    assert_eq!(recorder.log.end() - before, 1 + 7 * 2);
}

struct Engine {
    recorders: Vec<Recorder>,
    locks: Vec<Released>,
    granules: Box<[u64; GRANULES]>,
    /// Of each thread, if accesses take the short way of rewritten code.
    places: Option<Vec<Places>>,
}

impl Engine {
    fn new(is_rewritten: bool) -> Engine {
        crate::init::for_tests();
        let recorder = |_| Recorder::new(slot::fresh_for_tests(), Clock::new()).unwrap();
        let granules = Box::new([0; GRANULES]);
        for granule in &*granules {
            word_of(core::ptr::from_ref(granule) as usize).store(0, Ordering::Relaxed);
        }
        Engine {
            recorders: (0..THREADS).map(recorder).collect(),
            locks: vec![Released::new(); LOCKS],
            granules,
            places: is_rewritten.then(|| (0..THREADS).map(|_| Places::default()).collect()),
        }
    }

    fn step(&mut self, step: &Step) -> bool {
        match *step {
            Step::Access {
                thread,
                granule,
                touch,
                site,
            } => {
                let recorder = &mut self.recorders[thread];
                let word = word_of(core::ptr::from_ref(&self.granules[granule]) as usize);
                let mut site = at(site);
                if let Some(places) = &mut self.places
                    && takes_short_way(&mut places[thread], recorder, word, touch, &mut site)
                {
                    return false;
                }
                if touch.atomic && hb::renew(recorder, word, touch, &mut site) {
                    return false;
                }
                hb::touch::<false>(recorder, word, touch, &site).is_some()
            }
            Step::Range {
                thread,
                ref granules,
                write,
                site,
            } => {
                let bytes = &self.granules[granules.clone()];
                let how = How {
                    write,
                    atomic: false,
                };
                let recorder = &mut self.recorders[thread];
                let (start, len) = (bytes.as_ptr() as usize, size_of_val(bytes));
                walk::range(recorder, start, len, how, &at(site)).is_some()
            }
            Step::Release { thread, lock } => {
                self.recorders[thread].release(&mut self.locks[lock]);
                false
            }
            Step::ReleaseJoin { thread, lock } => {
                self.recorders[thread].release_join(&mut self.locks[lock]);
                false
            }
            Step::Acquire { thread, lock } => {
                self.recorders[thread].acquire(&self.locks[lock]);
                false
            }
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
    let mut raced = [0; GRANULES];
    for (i, step) in steps.iter().enumerate() {
        let (got, want) = (engine.step(step), reference.step(step));
        let is_first = want
            .iter()
            .zip(&raced)
            .any(|(now, before)| now & !before != 0);
        let is_any = want != [0; GRANULES];
        assert!(got || !is_first, "missed: step {i} of {steps:#?}");
        assert!(is_any || !got, "no race: step {i} of {steps:#?}");
        for (before, now) in raced.iter_mut().zip(want) {
            *before |= now;
        }
    }
}

#[test]
fn what_is_handed_to_and_fro_leaves_few_records() {
    let mut engine = Engine::new(false);
    for round in 0..100 {
        let thread = round % 2;
        let access = |write| Step::Access {
            thread,
            granule: 0,
            touch: Touch {
                bytes: 0x0f,
                write,
                atomic: false,
            },
            site: 1 + u64::from(write),
        };
        let lock = 0;
        let steps = [
            Step::Acquire { thread, lock },
            access(false),
            access(true),
            Step::Release { thread, lock },
        ];
        assert!(!steps.iter().any(|step| engine.step(step)));
        let word = word_of(core::ptr::from_ref(&engine.granules[0]) as usize);
        let newest = Word(word.load(Ordering::Relaxed));
        let (records, cell) = hb::all_records(word, newest);
        assert!(records.len() <= 3 && cell.is_none(), "{records:?}");
    }
}

#[test]
fn bytes_of_one_thread_that_another_reads_in_turn() {
    let access = |thread, bytes, write, site| Step::Access {
        thread,
        granule: 0,
        touch: Touch {
            bytes,
            write,
            atomic: false,
        },
        site,
    };
    for sites in 0..81 {
        let site = |i: u32| 1 + sites / 3u64.pow(i) % 3;
        let steps = [
            access(0, 0xf0, true, site(0)),
            access(0, 0x0f, true, site(1)),
            access(1, 0x0f, false, 1),
            access(0, 0x0f, true, site(2)),
            access(1, 0xf0, false, site(3)),
        ];
        for is_rewritten in [false, true] {
            compare(&steps, is_rewritten);
        }
    }
}

#[test]
fn an_atomic_write_to_what_many_read() {
    let access = |thread, bytes, write| Step::Access {
        thread,
        granule: 0,
        touch: Touch {
            bytes,
            write,
            atomic: write,
        },
        site: 1,
    };
    let mut steps: Vec<Step> = (0..THREADS).map(|t| access(t, 0xff, false)).collect();
    let others = (0..THREADS).filter(|thread| *thread != 1);
    steps.extend(others.map(|thread| Step::ReleaseJoin { thread, lock: 0 }));
    let (thread, lock) = (1, 1);
    steps.push(Step::Acquire { thread, lock: 0 });
    // The last makes one of its earlier reads superfluous.
    for bytes in [0x0f, 0xff] {
        steps.push(Step::Release { thread, lock });
        steps.push(access(1, bytes, false));
    }
    steps.push(Step::Release { thread, lock });
    steps.push(access(1, 0xff, true));
    steps.push(access(2, 0xff, false));
    compare(&steps, false);
    compare(&steps, true);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, ..ProptestConfig::default() })]

    #[test]
    fn same_races_as_the_definition(steps in prop::collection::vec(step(1..6), 1..80)) {
        compare(&steps, false);
    }

    #[test]
    fn same_races_among_many_readers(steps in prop::collection::vec(reading(), 1..150)) {
        compare(&steps, false);
        compare(&steps, true);
    }

    #[test]
    fn same_races_in_rewritten_code(steps in prop::collection::vec(step(1..2), 1..300)) {
        compare(&steps, true);
    }

    #[test]
    fn same_races_in_rewritten_sections(sections in prop::collection::vec(section(), 1..100)) {
        compare(&sections.concat(), true);
    }
}
