use super::super::held::At;
use super::super::{LockId, Mode};
use super::graph::Instance;
use super::heights::Heights;
use super::orders::{Circle, Orders};
use super::queue::{Made, Owner, ROOM};
use super::tests::{Act, THREADS, acts, has_circle, lock};
use crate::lockset::{self, LocksetId};
use proptest::prelude::*;
use std::cell::RefCell;
use std::sync::Barrier;

fn empty() -> &'static Orders {
    Box::leak(Box::new(Orders::new(Box::leak(Box::new(Heights::new())))))
}

/// A thread and its queue.
struct Taker {
    number: u32,
    own: Option<Owner>,
}

impl Taker {
    fn new(number: u32) -> Taker {
        crate::init::for_tests();
        Taker {
            number: THREADS + number,
            own: None,
        }
    }

    /// It takes `to` while it holds `held`.
    fn takes(&mut self, orders: &Orders, held: &[u32], to: u32) -> Vec<Circle> {
        let edges = self.edges(held, to);
        orders.made(&mut self.own, edges.into_iter())
    }

    fn edges(&self, held: &[u32], to: u32) -> Vec<Made> {
        let set = held.iter().fold(LocksetId::EMPTY, |set, number| {
            lockset::add(set, lock(*number), Mode::Write)
        });
        let way = (Mode::Write, At { pc: 1, context: 1 });
        let instance = Instance::new((self.number, 0), set, way, way);
        let made = |from: &u32| Made {
            from: lock(*from),
            to: lock(to),
            instance,
        };
        held.iter().map(made).collect()
    }
}

fn locks(circle: &Circle) -> Vec<LockId> {
    let mut locks: Vec<LockId> = circle.iter().map(|step| step.from).collect();
    locks.sort_unstable();
    locks
}

proptest! {
    /// With the very act that makes a circle possible, and not before, however
    /// much is still in the queues.
    #[test]
    fn finds_what_the_definition_says(
        ranked in prop::collection::vec((1..=8u32, 1..=8u32), 0..8),
        acts in prop::collection::vec(acts(8, 3), 1..24)
    ) {
        let orders = empty();
        let mut takers: Vec<Taker> = (0..5).map(Taker::new).collect();
        let mut made: Vec<(u32, Vec<u32>, u32)> = Vec::new();
        let mut numbers: Vec<u32> = (0..=8).collect();
        // One thread alone makes no circle, but gives ranks.
        for (one, other) in ranked {
            if one != other {
                let (from, to) = (one.min(other), one.max(other));
                prop_assert!(takers[4].takes(orders, &[from], to).is_empty());
                made.push((4, vec![from], to));
            }
        }
        for (at, act) in acts.iter().enumerate() {
            match act {
                Act::Takes(thread, held, to) => {
                    let to = numbers[*to as usize];
                    let held: Vec<u32> = held.iter().map(|lock| numbers[*lock as usize]).collect();
                    let found = takers[*thread as usize].takes(orders, &held, to);
                    made.push((*thread, held, to));
                    prop_assert_eq!(!found.is_empty(), has_circle(&made), "{:?}", &acts[..=at]);
                    if !found.is_empty() {
                        break;
                    }
                }
                Act::Goes(gone) => {
                    let gone = core::mem::replace(&mut numbers[*gone as usize], 10 + at as u32);
                    orders.forget(lock(gone));
                    for (_, held, to) in &mut made {
                        if *to == gone {
                            held.clear();
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn more_than_a_queue_holds() {
    let orders = empty();
    let mut taker = Taker::new(1);
    let all = 4 * ROOM as u32;
    for from in 1..all {
        assert!(taker.takes(orders, &[from], from + 1).is_empty());
    }
    for round in 2..4 {
        for from in 1..=all - round {
            assert!(taker.takes(orders, &[from], from + round).is_empty());
        }
    }
    let found = Taker::new(2).takes(orders, &[all / 2 + 2], all / 2);
    assert_eq!(found.len(), 1);
    assert_eq!(locks(&found[0]), [lock(all / 2), lock(all / 2 + 2)]);
}

#[test]
fn what_a_thread_leaves_in_its_queue_counts() {
    let orders = empty();
    let mut first = Taker::new(1);
    first.takes(orders, &[1], 2);
    first.takes(orders, &[2], 3);
    first.takes(orders, &[1], 3);
    drop(first);
    let mut second = Taker::new(2);
    assert!(second.takes(orders, &[4], 5).is_empty());
    assert_eq!(second.takes(orders, &[3], 1).len(), 1);
}

#[test]
fn more_locks_held_than_a_queue_has_room() {
    let orders = empty();
    let mut taker = Taker::new(1);
    let held: Vec<u32> = (1..2 * ROOM as u32).collect();
    let to = held.len() as u32 + 1;
    assert!(taker.takes(orders, &held, to).is_empty());
    assert!(taker.takes(orders, &held, to).is_empty());
    assert_eq!(Taker::new(2).takes(orders, &[to], 7).len(), 1);
}

/// Another thread makes the edge that closes the circle while this one makes
/// its own, at every point where that asks for its next edge. Either there is a
/// way round already, or the ranks change.
#[test]
fn a_change_halfway() {
    for (point, ranked) in (0..4).flat_map(|point| [(point, 2), (point, 4)]) {
        let orders = empty();
        let mut taker = Taker::new(1);
        taker.takes(orders, &[1], ranked);
        taker.takes(orders, &[2], 3);
        let mut left = taker.edges(&[1], 3).pop();
        let other = RefCell::new((0, Taker::new(2), Vec::new()));
        let meddler = &other;
        let edges = core::iter::from_fn(move || {
            let (asked, other, found) = &mut *meddler.borrow_mut();
            if *asked == point {
                found.extend(other.takes(orders, &[3], 1));
            }
            *asked += 1;
            left.take()
        });
        let own = orders.made(&mut taker.own, edges);
        let (asked, _, others) = other.into_inner();
        assert!(asked > point);
        let all: Vec<_> = own.iter().chain(&others).map(locks).collect();
        assert_eq!(all, [[lock(1), lock(3)]], "{point} {ranked}");
    }
}

/// Threads that at the same time make the edges of a circle, all of whose locks
/// have ranks: one of them finds it.
#[test]
fn edges_made_at_once() {
    const EDGES: u32 = 3;
    const ROUNDS: u32 = 3000;
    let orders = empty();
    let barrier = Barrier::new(EDGES as usize);
    let work = |number: u32| {
        let mut found = Vec::new();
        let mut taker = Taker::new(number);
        let mut other = Taker::new(EDGES);
        for round in 0..ROUNDS {
            let first = 1 + 100 * round;
            let mine = first + number;
            // Ranks for all, and some more to do.
            let more = first + 10 * (number + 1);
            found.extend(other.takes(orders, &[first + 50], mine));
            found.extend(other.takes(orders, &[first + 50], more));
            found.extend(other.takes(orders, &[more], more + 1));
            barrier.wait();
            let next = first + (number + 1) % EDGES;
            found.extend(taker.takes(orders, &[mine], next));
            found.extend(taker.takes(orders, &[first + 50], more + 1));
            barrier.wait();
            orders.forget(lock(mine));
            barrier.wait();
        }
        found
    };
    let mut found: Vec<Vec<LockId>> = std::thread::scope(|scope| {
        let work = &work;
        let threads: Vec<_> = (0..EDGES).map(|n| scope.spawn(move || work(n))).collect();
        let all = threads
            .into_iter()
            .flat_map(|thread| thread.join().unwrap());
        all.map(|circle| locks(&circle)).collect()
    });
    found.sort_unstable();
    let expected = (0..ROUNDS).map(|round| [1, 2, 3].map(|n| lock(n + 100 * round)).to_vec());
    assert!(found.into_iter().eq(expected));
}
