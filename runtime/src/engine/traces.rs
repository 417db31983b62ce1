//! Random traces, and what they mean by definition.
//!
//! The reference keeps every access and every critical section, makes the edges
//! between critical sections that conflict, or of which the later one's thread
//! knows something that was done in the one just before, be it when it takes the
//! lock or when it gives it back, and then looks for conflicting accesses
//! that nothing orders and no lock keeps apart. It is slow and simple; what is
//! tested against it is neither.

use proptest::prelude::*;
use std::ops::Range;

pub(super) const THREADS: usize = 4;
pub(super) const GRANULES: usize = 3;
pub(super) const LOCKS: usize = 3;
pub(super) const FLAGS: usize = 2;

type Times = [u64; THREADS];

/// What an access does to a granule: the bytes, one bit each.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touch {
    pub(super) bytes: u8,
    pub(super) write: bool,
    pub(super) atomic: bool,
}

impl Touch {
    fn conflicts(self, other: Touch) -> bool {
        self.bytes & other.bytes != 0
            && (self.write || other.write)
            && !(self.atomic && other.atomic)
    }
}

#[derive(Clone, Debug)]
pub(super) enum Step {
    Access {
        thread: usize,
        granule: usize,
        touch: Touch,
        site: u64,
    },
    /// All bytes of some granules, by a copy or the like.
    Range {
        thread: usize,
        from: usize,
        to: usize,
        write: bool,
        site: u64,
    },
    /// Gives all granules back to the heap and gets new ones.
    Renew {
        thread: usize,
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

pub(super) fn step() -> impl Strategy<Value = Step> {
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
        1 => (thread.clone(), 0..GRANULES, 1..=GRANULES, any::<bool>(), 1u64..4).prop_map(
            |(thread, from, len, write, site)| Step::Range {
                thread,
                from,
                to: (from + len).min(GRANULES),
                write,
                site,
            }
        ),
        1 => (thread.clone(), 1u64..4).prop_map(|(thread, site)| Step::Renew { thread, site }),
        8 => (thread.clone(), 0..LOCKS).prop_map(|(thread, lock)| Step::Toggle { thread, lock }),
        2 => (thread.clone(), 0..FLAGS).prop_map(|(thread, flag)| Step::Release { thread, flag }),
        2 => (thread, 0..FLAGS).prop_map(|(thread, flag)| Step::Acquire { thread, flag }),
    ]
}

/// A critical section, mostly of the same thread and lock, that touches parts of
/// a few granules; seldom somebody tells another one something.
pub(super) fn section() -> impl Strategy<Value = Vec<Step>> {
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Found {
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
    /// By the heap, and nobody has touched the granule since.
    is_mark: bool,
}

/// See the module's description.
#[derive(Clone)]
pub(super) struct Reference {
    order: [Times; THREADS],
    strong: [Times; THREADS],
    flags: [(Times, Times); FLAGS],
    /// What the last holder of a lock knew when it gave it back.
    locks: [Times; LOCKS],
    owner: [Option<usize>; LOCKS],
    /// When each lock was taken that is held, by its owner's own time.
    taken: [u64; LOCKS],
    /// Who had each lock last, when it had taken it, and the number of that
    /// section.
    last: [Option<(usize, u64, usize)>; LOCKS],
    /// The current critical section of each lock.
    section: [usize; LOCKS],
    /// What was known at the end of each critical section.
    ends: Vec<Option<Times>>,
    history: Vec<Access>,
}

impl Reference {
    pub(super) fn new() -> Reference {
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
            taken: [0; LOCKS],
            last: [None; LOCKS],
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
    pub(super) fn toggle(&mut self, thread: usize, lock: usize) -> Option<bool> {
        match self.owner[lock] {
            None => {
                self.owner[lock] = Some(thread);
                self.order_after_last(thread, lock);
                self.section[lock] = self.ends.len();
                self.ends.push(None);
                join(&mut self.strong[thread], &self.locks[lock]);
                self.tick(thread);
                self.taken[lock] = self.order[thread][thread];
                Some(true)
            }
            Some(owner) if owner == thread => {
                self.owner[lock] = None;
                self.order_after_last(thread, lock);
                self.locks[lock] = self.strong[thread];
                self.ends[self.section[lock]] = Some(self.order[thread]);
                self.last[lock] = Some((thread, self.taken[lock], self.section[lock]));
                self.tick(thread);
                Some(false)
            }
            Some(_) => None,
        }
    }

    /// If `thread`, which has the lock, knows anything of the section before,
    /// that came first.
    fn order_after_last(&mut self, thread: usize, lock: usize) {
        if let Some((last, taken, section)) = self.last[lock]
            && last != thread
            && self.order[thread][last] >= taken
        {
            let end = self.ends[section].expect("it is over");
            join(&mut self.order[thread], &end);
        }
    }

    /// Has `thread` any of the locks?
    pub(super) fn holds_any(&self, thread: usize) -> bool {
        self.owner.contains(&Some(thread))
    }

    pub(super) fn release(&mut self, thread: usize, flag: usize) {
        self.flags[flag] = (self.order[thread], self.strong[thread]);
        self.tick(thread);
    }

    pub(super) fn acquire(&mut self, thread: usize, flag: usize) {
        let (order, strong) = self.flags[flag];
        join(&mut self.order[thread], &order);
        join(&mut self.strong[thread], &strong);
    }

    pub(super) fn access(&mut self, thread: usize, granule: usize, touch: Touch) -> Found {
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
            is_mark: false,
        });
        self.unmark(thread, granule);
        found
    }

    /// What is handed out is the program's: of the first touch that is ordered
    /// after that on, only touches count. But where a critical section in which
    /// it was handed out is not known to be over, that still counts.
    fn unmark(&mut self, thread: usize, granule: usize) {
        let order = self.order[thread];
        let holds = |lock: usize| self.owner[lock] == Some(thread);
        let is_over = |a: &Access, lock: usize| {
            let end = self.ends[a.sections[lock]];
            end.is_some_and(|end| order[a.thread] >= end[a.thread])
        };
        let all = |a: &Access, says: &dyn Fn(usize) -> bool| {
            (0..LOCKS).filter(|lock| a.locks[*lock]).all(says)
        };
        let goes = |a: &Access| {
            order[a.thread] >= a.time
                && (a.thread == thread || all(a, &|lock| is_over(a, lock)) || all(a, &holds))
        };
        let is_of = |a: &Access| a.is_mark && a.granule == granule;
        self.history.retain(|a| !(is_of(a) && goes(a)));
        let marks = self.history.iter_mut().filter(|a| is_of(a));
        marks.for_each(|a| a.is_mark = false);
    }

    /// All bytes of the granules; the worst that is found.
    pub(super) fn range(&mut self, thread: usize, granules: Range<usize>, write: bool) -> Found {
        let touch = Touch {
            bytes: 0xff,
            write,
            atomic: false,
        };
        let found = granules.map(|granule| self.access(thread, granule, touch));
        found.max().unwrap_or(Found::Nothing)
    }

    /// What giving back finds. Handing out counts as a write that atomic
    /// accesses do not conflict with.
    pub(super) fn renew(&mut self, thread: usize) -> Found {
        let found = self.range(thread, 0..GRANULES, true);
        if found == Found::Nothing {
            self.history.clear();
            let handed_out = Touch {
                bytes: 0xff,
                write: true,
                atomic: true,
            };
            for granule in 0..GRANULES {
                self.access(thread, granule, handed_out);
            }
            self.history.iter_mut().for_each(|a| a.is_mark = true);
        }
        found
    }
}

/// `from` tells `to` something.
pub(super) fn tell(from: usize, to: usize, flag: usize) -> [Step; 2] {
    [
        Step::Release { thread: from, flag },
        Step::Acquire { thread: to, flag },
    ]
}
