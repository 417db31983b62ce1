use super::super::held::At;
use super::super::{LockId, Mode};
use super::graph::Instance;
use super::heights::Heights;
use super::inside::Circle;
use super::log::{FIRST, Made, Owner};
use super::orders::Orders;
use super::tests::{Act, THREADS, acts, has_circle, lock};
use crate::lockset::{self, LocksetId};
use proptest::prelude::*;
use std::cell::RefCell;
use std::sync::Barrier;

fn empty() -> &'static Orders {
    large_with(usize::MAX)
}

/// One that is large with so many edges.
fn large_with(edges: usize) -> &'static Orders {
    let heights = Box::leak(Box::new(Heights::new()));
    Box::leak(Box::new(Orders::new(heights, edges)))
}

/// A thread and its log.
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
    /// much is still in the logs.
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

proptest! {
    /// Where what contradicts the order waits: whenever all is sorted, and no
    /// circle that is not there.
    #[test]
    fn finds_later_what_the_definition_says(
        large in 0..6usize,
        acts in prop::collection::vec((acts(8, 3), 0..8u32), 1..32)
    ) {
        let orders = large_with(large);
        let mut takers: Vec<Taker> = (0..4).map(Taker::new).collect();
        let mut made: Vec<(u32, Vec<u32>, u32)> = Vec::new();
        let mut numbers: Vec<u32> = (0..=8).collect();
        let mut found = Vec::new();
        for (at, (act, then)) in acts.iter().enumerate() {
            match act {
                Act::Takes(thread, held, to) => {
                    let to = numbers[*to as usize];
                    let held: Vec<u32> = held.iter().map(|lock| numbers[*lock as usize]).collect();
                    found.extend(takers[*thread as usize].takes(orders, &held, to));
                    made.push((*thread, held, to));
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
            match then {
                0 => found.extend(orders.sort()),
                1 => takers[0] = Taker::new(0),
                _ => {}
            }
            if has_circle(&made) {
                found.extend(orders.finish());
                prop_assert!(!found.is_empty(), "{:?}", &acts[..=at]);
                return Ok(());
            }
            prop_assert!(found.is_empty(), "{:?}", &acts[..=at]);
        }
        found.extend(orders.finish());
        prop_assert!(found.is_empty());
    }
}

/// The circle is found by a thread that takes locks again and again.
#[test]
fn what_waits_does_not_wait_for_ever() {
    let orders = large_with(0);
    let mut first = Taker::new(1);
    let mut second = Taker::new(2);
    assert!(first.takes(orders, &[1], 2).is_empty());
    let mut found = second.takes(orders, &[2], 1);
    while found.is_empty() {
        found = orders.look(&mut second.own);
        assert!(!found.is_empty() || second.own.as_ref().unwrap().unsure.is_some());
    }
    assert_eq!(locks(&found[0]), [lock(1), lock(2)]);
    assert!(orders.finish().is_empty());
}

#[test]
fn more_than_a_chunk_holds() {
    let orders = empty();
    let mut taker = Taker::new(1);
    let all = 4 * FIRST as u32;
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
fn what_a_thread_leaves_in_its_log_counts() {
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
fn more_locks_held_than_a_chunk_has_room() {
    let orders = empty();
    let mut taker = Taker::new(1);
    let held: Vec<u32> = (1..2 * FIRST as u32).collect();
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
    make_at_once(empty());
}

#[test]
fn edges_made_at_once_where_they_wait() {
    make_at_once(large_with(0));
}

fn make_at_once(orders: &'static Orders) {
    const EDGES: u32 = 3;
    const ROUNDS: u32 = 3000;
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
    found.extend(orders.finish().iter().map(locks));
    found.sort_unstable();
    let expected = (0..ROUNDS).map(|round| [1, 2, 3].map(|n| lock(n + 100 * round)).to_vec());
    assert!(found.into_iter().eq(expected));
}
