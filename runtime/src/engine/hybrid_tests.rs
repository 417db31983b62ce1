//! The hybrid detector against a slow reference that follows the definitions.
//!
//! The reference keeps every access and every critical section, makes the edges
//! between conflicting critical sections and then looks for conflicting accesses
//! that nothing orders and no lock keeps apart. Up to the first finding the
//! engine has to say the same.

use super::hb;
use super::tests::takes_short_way;
use crate::clock::{Clock, Released};
use crate::handover;
use crate::lock::held::At;
use crate::lock::{LockId, Mode};
use crate::lockset::{self, LocksetId};
use crate::log::site::Site;
use crate::recorder::Recorder;
use crate::rewritten::places::Places;
use crate::shadow::word::{Touch, Word};
use crate::shadow::word_of;
use crate::{slot, spans};
use proptest::prelude::*;
use std::sync::atomic::Ordering;

const THREADS: usize = 4;
const GRANULES: usize = 3;
const LOCKS: usize = 3;
const FLAGS: usize = 2;

type Times = [u64; THREADS];

#[derive(Clone, Debug)]
enum Step {
    Access {
        thread: usize,
        granule: usize,
        touch: Touch,
        site: u64,
    },
    /// Takes the lock, or gives it back; nothing if another thread has it.
    Toggle {
        thread: usize,
        lock: usize,
    },
    Release {
        thread: usize,
        flag: usize,
    },
    Acquire {
        thread: usize,
        flag: usize,
    },
}

fn step() -> impl Strategy<Value = Step> {
    let thread = 0..THREADS;
    let bytes = prop::sample::select(vec![0xffu8, 0x0f, 0xf0]);
    let touch =
        (bytes, any::<bool>(), prop::bool::weighted(0.3)).prop_map(|(bytes, write, atomic)| {
            Touch {
                bytes,
                write,
                atomic,
            }
        });
    prop_oneof![
        5 => (thread.clone(), 0..GRANULES, touch, 1u64..4).prop_map(
            |(thread, granule, touch, site)| Step::Access { thread, granule, touch, site }
        ),
        8 => (thread.clone(), 0..LOCKS).prop_map(|(thread, lock)| Step::Toggle { thread, lock }),
        2 => (thread.clone(), 0..FLAGS).prop_map(|(thread, flag)| Step::Release { thread, flag }),
        2 => (thread, 0..FLAGS).prop_map(|(thread, flag)| Step::Acquire { thread, flag }),
    ]
}

/// A critical section, mostly of the same thread and lock, that touches parts of
/// a few granules; seldom somebody tells another one something.
fn section() -> impl Strategy<Value = Vec<Step>> {
    let bytes = prop::sample::select(vec![0x01u8, 0x02, 0x0c, 0x0f, 0x30, 0x80, 0xf0, 0xff]);
    let touch = (bytes, prop::bool::weighted(0.3)).prop_map(|(bytes, write)| Touch {
        bytes,
        write,
        atomic: false,
    });
    let thread = prop_oneof![4 => Just(0), 3 => Just(1), 1 => 0..THREADS];
    let lock = prop_oneof![9 => Just(0), 1 => 0..LOCKS];
    let touches = prop::collection::vec((0..2usize, touch), 1..4);
    let is_locked = prop::bool::weighted(0.97);
    let locked =
        (thread, lock, touches, is_locked).prop_map(|(thread, lock, touches, is_locked)| {
            let toggle = is_locked.then_some(Step::Toggle { thread, lock });
            let accesses = touches.into_iter().map(|(granule, touch)| Step::Access {
                thread,
                granule,
                touch,
                site: 1,
            });
            let steps = toggle.clone().into_iter().chain(accesses);
            steps.chain(toggle).collect()
        });
    let told = (0..THREADS, 0..THREADS).prop_map(|(from, to)| tell(from, to, 0).to_vec());
    prop_oneof![8 => locked, 1 => told]
}

/// What was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Found {
    Nothing,
    Possible,
    Proven,
}

fn join(into: &mut Times, from: &Times) {
    for (a, b) in into.iter_mut().zip(from) {
        *a = (*a).max(*b);
    }
}

#[derive(Clone, Copy)]
struct Access {
    thread: usize,
    /// The thread's own time.
    time: u64,
    granule: usize,
    touch: Touch,
    locks: [bool; LOCKS],
    /// For each lock held, the number of the critical section.
    sections: [usize; LOCKS],
}

struct Reference {
    order: [Times; THREADS],
    strong: [Times; THREADS],
    flags: [(Times, Times); FLAGS],
    /// What the last holder of a lock knew when it gave it back.
    locks: [Times; LOCKS],
    owner: [Option<usize>; LOCKS],
    /// The current critical section of each lock.
    section: [usize; LOCKS],
    /// What was known at the end of each critical section.
    ends: Vec<Option<Times>>,
    history: Vec<Access>,
}

impl Reference {
    fn new() -> Reference {
        let mut own = [[0; THREADS]; THREADS];
        for (i, clock) in own.iter_mut().enumerate() {
            clock[i] = 1;
        }
        Reference {
            order: own,
            strong: own,
            flags: [([0; THREADS], [0; THREADS]); FLAGS],
            locks: [[0; THREADS]; LOCKS],
            owner: [None; LOCKS],
            section: [0; LOCKS],
            ends: Vec::new(),
            history: Vec::new(),
        }
    }

    fn tick(&mut self, thread: usize) {
        self.order[thread][thread] += 1;
        self.strong[thread][thread] += 1;
    }

    /// Takes or gives back; what the engine has to do.
    fn toggle(&mut self, thread: usize, lock: usize) -> Option<bool> {
        match self.owner[lock] {
            None => {
                self.owner[lock] = Some(thread);
                self.section[lock] = self.ends.len();
                self.ends.push(None);
                join(&mut self.strong[thread], &self.locks[lock]);
                self.tick(thread);
                Some(true)
            }
            Some(owner) if owner == thread => {
                self.owner[lock] = None;
                self.locks[lock] = self.strong[thread];
                self.ends[self.section[lock]] = Some(self.order[thread]);
                self.tick(thread);
                Some(false)
            }
            Some(_) => None,
        }
    }

    fn release(&mut self, thread: usize, flag: usize) {
        self.flags[flag] = (self.order[thread], self.strong[thread]);
        self.tick(thread);
    }

    fn acquire(&mut self, thread: usize, flag: usize) {
        let (order, strong) = self.flags[flag];
        join(&mut self.order[thread], &order);
        join(&mut self.strong[thread], &strong);
    }

    fn access(&mut self, thread: usize, granule: usize, touch: Touch) -> Found {
        let locks = std::array::from_fn(|lock| self.owner[lock] == Some(thread));
        let meets = |a: &&Access| {
            a.granule == granule
                && a.touch.bytes & touch.bytes != 0
                && a.thread != thread
                && (a.touch.write || touch.write)
        };
        let rivals: Vec<Access> = self.history.iter().filter(meets).copied().collect();
        let is_ordered = |order: &Times, a: &Access| order[a.thread] >= a.time;
        let is_common = |a: &Access, lock: usize| a.locks[lock] && locks[lock];
        for rival in &rivals {
            for lock in (0..LOCKS).filter(|lock| is_common(rival, *lock)) {
                let end = self.ends[rival.sections[lock]].expect("this thread has the lock now");
                join(&mut self.order[thread], &end);
            }
        }
        let order = self.order[thread];
        let mut found = Found::Nothing;
        for rival in rivals
            .iter()
            .filter(|a| a.touch.conflicts(touch) && !is_ordered(&order, a))
            .filter(|a| !(0..LOCKS).any(|lock| is_common(a, lock)))
        {
            found = if self.strong[thread][rival.thread] >= rival.time {
                if found == Found::Nothing {
                    Found::Possible
                } else {
                    found
                }
            } else {
                Found::Proven
            };
        }
        self.history.push(Access {
            thread,
            time: order[thread],
            granule,
            touch,
            locks,
            sections: self.section,
        });
        found
    }
}

struct Engine {
    recorders: Vec<Recorder>,
    locks: Vec<Released>,
    sets: [LocksetId; THREADS],
    held: [Vec<(LockId, At)>; THREADS],
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
            recorder.hold(*set, self.held[thread].last().copied());
            recorder.acquire_lock(&self.locks[lock]);
        } else {
            *set = lockset::remove(*set, id);
            recorder.release(&mut self.locks[lock]);
            let at = At {
                pc: 0x100 + lock,
                context: crate::stack::ROOT,
            };
            self.held[thread].retain(|(lock, _)| *lock != id);
            recorder.hold(*set, Some((id, at)));
        }
    }

    fn access(&mut self, thread: usize, granule: usize, touch: Touch, site: u64) -> Found {
        let mut site = Site {
            pc: 0x1000 + site,
            context: crate::stack::ROOT,
            return_address: 0,
            outer: 0,
            free: false,
            fresh: Word::EMPTY,
        };
        let word = word_of(core::ptr::from_ref(&self.granules[granule]) as usize);
        let recorder = &mut self.recorders[thread];
        if let Some(places) = &mut self.places
            && takes_short_way(&mut places[thread], recorder, word, touch, &mut site)
        {
            return Found::Nothing;
        }
        match hb::touch::<false>(recorder, word, touch, &site) {
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
            assert!(!found.is_empty() || self.told_in_section);
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
        match *step {
            Step::Access {
                thread,
                granule,
                touch,
                site,
            } => {
                let want = reference.access(thread, granule, touch);
                let got = engine.access(thread, granule, touch, site);
                let same = (got == Found::Nothing) == (want == Found::Nothing);
                assert!(same, "step {i}: {got:?} for {want:?} in {steps:#?}");
                if want != Found::Nothing {
                    // One access may meet several; which is told is free.
                    assert!(want == Found::Proven || got == want, "step {i}: {got:?}");
                    return;
                }
            }
            Step::Toggle { thread, lock } => {
                if let Some(takes) = reference.toggle(thread, lock) {
                    engine.toggle(thread, lock, takes);
                }
            }
            Step::Release { thread, flag } => {
                reference.release(thread, flag);
                engine.recorders[thread].release(&mut engine.flags[flag]);
                engine.told_in_section |= engine.sets[thread] != LocksetId::EMPTY;
            }
            Step::Acquire { thread, flag } => {
                reference.acquire(thread, flag);
                engine.recorders[thread].acquire(&engine.flags[flag]);
            }
        }
    }
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

fn tell(from: usize, to: usize, flag: usize) -> [Step; 2] {
    [
        Step::Release { thread: from, flag },
        Step::Acquire { thread: to, flag },
    ]
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
            Step::Toggle { thread, lock } => {
                reference.toggle(thread, lock);
            }
            Step::Release { thread, flag } => reference.release(thread, flag),
            Step::Acquire { thread, flag } => reference.acquire(thread, flag),
        }
    }
    found
}
