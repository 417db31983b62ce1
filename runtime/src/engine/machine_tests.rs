//! The engines with states, driven as the program drives them, against a slow
//! reference that keeps a location for every byte and recomputes the order of
//! accesses from the whole trace.

use super::eraser::Eraser;
use super::machine::{self, Last, Location, Machine, Moment, State};
use super::msm_long::MsmLong;
use super::msm_short::MsmShort;
use super::walk::How;
use crate::clock::{Clock, Released};
use crate::lock::{LockId, Mode};
use crate::lockset::{self, LocksetId};
use crate::log::site::Site;
use crate::recorder::Recorder;
use crate::shadow::word::Word;
use crate::shadow::word_of;
use crate::slot;
use crate::spans::Newest;
use proptest::prelude::*;
use std::sync::atomic::Ordering;

const THREADS: usize = 3;
const LOCKS: usize = 2;
const BYTES: usize = 16;

#[derive(Clone, Debug)]
enum Step {
    Access {
        thread: usize,
        offset: usize,
        size: usize,
        write: bool,
    },
    /// Takes the lock if it is free, gives it back if it is the thread's own.
    Toggle { thread: usize, lock: usize },
    /// The second thread comes after what the first did so far.
    Edge { from: usize, to: usize },
}

fn step() -> impl Strategy<Value = Step> {
    let thread = 0..THREADS;
    let place = prop_oneof![
        (0..BYTES / 4).prop_map(|i| (i * 4, 4)),
        (0..BYTES / 8).prop_map(|i| (i * 8, 8)),
        (0..BYTES).prop_map(|i| (i, 1)),
        Just((4, 8)),
    ];
    prop_oneof![
        6 => (thread.clone(), place, any::<bool>()).prop_map(|(thread, (offset, size), write)| {
            Step::Access { thread, offset, size, write }
        }),
        3 => (thread.clone(), 0..LOCKS).prop_map(|(thread, lock)| Step::Toggle { thread, lock }),
        2 => (thread.clone(), thread).prop_map(|(from, to)| Step::Edge { from, to }),
    ]
}

/// A location for each byte; accesses are numbered in the order of the trace.
struct Reference {
    locations: [Location; BYTES],
    /// Of every access: who made it.
    thread_of: Vec<usize>,
    /// Of every thread: which accesses come before what it does.
    seen: [Vec<bool>; THREADS],
}

impl Reference {
    fn access(
        &mut self,
        machine: &dyn Machine,
        step: (usize, usize, usize, bool),
        locks: LocksetId,
    ) -> bool {
        let (thread, offset, size, write) = step;
        let number = self.thread_of.len();
        self.thread_of.push(thread);
        for (i, seen) in self.seen.iter_mut().enumerate() {
            seen.push(i == thread);
        }
        let mut reported = false;
        for location in &mut self.locations[offset..offset + size] {
            if location.state == State::Race {
                continue;
            }
            let last = location.last.pos as usize;
            let is_new = location.state == State::New;
            let moment = Moment {
                now: Last {
                    slot: thread as u16 + 1,
                    pos: number as u64,
                    write,
                },
                thread: thread as u32,
                last_thread: if is_new { thread } else { self.thread_of[last] } as u32,
                ordered: is_new || self.seen[thread][last],
                locks: lockset::protecting(locks, write),
            };
            reported |= machine.step(location, &moment);
        }
        reported
    }
}

fn site(pc: u64) -> Site {
    Site {
        pc: 0x1000 + pc,
        context: crate::stack::ROOT,
        return_address: 0,
        outer: 0,
        free: false,
        fresh: Word::EMPTY,
    }
}

fn compare(machine: &'static dyn Machine, steps: &[Step]) {
    crate::init::for_tests();
    let memory = Box::new([0u64; BYTES / 8]);
    let addr = memory.as_ptr() as usize;
    let clear = || {
        for at in (addr..addr + BYTES).step_by(8) {
            word_of(at).store(0, Ordering::Relaxed);
        }
    };
    clear();
    let mut recorders: Vec<Recorder> = (0..THREADS)
        .map(|i| {
            let (lease, _) = slot::lease(i as u32, |_| u64::MAX).unwrap();
            let mut recorder = Recorder::new(lease, Clock::hybrid()).unwrap();
            recorder.thread = i as u32;
            recorder
        })
        .collect();
    let mut owners = [None; LOCKS];
    let mut sets = [LocksetId::EMPTY; THREADS];
    let mut reference = Reference {
        locations: [Location::NEW; BYTES],
        thread_of: Vec::new(),
        seen: Default::default(),
    };
    for (i, step) in steps.iter().enumerate() {
        match *step {
            Step::Access {
                thread,
                offset,
                size,
                write,
            } => {
                let want = reference.access(machine, (thread, offset, size, write), sets[thread]);
                let how = How {
                    write,
                    atomic: false,
                };
                let recorder = &mut recorders[thread];
                let at = addr + offset;
                let got = machine::access(machine, recorder, at, size, how, &site(i as u64 % 5));
                assert_eq!(got.is_some(), want, "step {i} of {steps:#?}");
            }
            Step::Toggle { thread, lock } => {
                let id = LockId::new(lock as u32 + 1).unwrap();
                match owners[lock] {
                    None => {
                        owners[lock] = Some(thread);
                        sets[thread] = lockset::add(sets[thread], id, Mode::Write);
                    }
                    Some(owner) if owner == thread => {
                        owners[lock] = None;
                        sets[thread] = lockset::remove(sets[thread], id);
                    }
                    Some(_) => continue,
                }
                recorders[thread].hold(sets[thread], Newest::UNKNOWN);
            }
            Step::Edge { from, to } if from != to => {
                let mut flag = Released::new();
                recorders[from].release(&mut flag);
                recorders[to].acquire(&flag);
                let learnt = reference.seen[from].clone();
                for (mine, theirs) in reference.seen[to].iter_mut().zip(learnt) {
                    *mine |= theirs;
                }
            }
            Step::Edge { .. } => {}
        }
    }
    crate::shadow::clear::forget(&mut recorders[0].cells, addr, BYTES);
    clear();
    for recorder in &recorders {
        slot::vacate(recorder.slot(), recorder.log.end());
    }
}

/// The machine without the lock of atomic instructions, which the reference
/// does not have.
struct Plain<M>(M);

impl<M: Machine> Machine for Plain<M> {
    fn step(&self, location: &mut Location, moment: &Moment) -> bool {
        self.0.step(location, moment)
    }
    fn bus_lock(&self, _: How) -> Option<Mode> {
        None
    }
    fn alone_again(&self, location: &Location) -> Option<State> {
        self.0.alone_again(location)
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, ..ProptestConfig::default() })]

    #[test]
    fn eraser_as_a_location_for_every_byte(steps in prop::collection::vec(step(), 1..60)) {
        compare(&Plain(Eraser), &steps);
    }

    #[test]
    fn msm_short_as_a_location_for_every_byte(steps in prop::collection::vec(step(), 1..60)) {
        compare(&Plain(MsmShort), &steps);
    }

    #[test]
    fn msm_long_as_a_location_for_every_byte(steps in prop::collection::vec(step(), 1..60)) {
        compare(&Plain(MsmLong), &steps);
    }
}
