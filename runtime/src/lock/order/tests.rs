use super::super::held::At;
use super::super::{LockId, Mode};
use super::circle::{self, Step};
use super::graph::{Entered, Graph, Instance};
use super::heights::Heights;
use super::log::Made;
use crate::lockset::{self, LocksetId};
use proptest::prelude::*;
use std::collections::BTreeSet;

pub(super) fn lock(number: u32) -> LockId {
    LockId::new(number).unwrap()
}

/// Threads of these numbers do not exist: nothing orders them.
pub(super) const THREADS: u32 = 1 << 30;

fn empty() -> Graph {
    Graph::new(Box::leak(Box::new(Heights::new())))
}

/// May there be a new circle through the edge?
fn add(graph: &mut Graph, made: Made) -> bool {
    let is_known = graph.edge(made.from, made.to).is_some();
    let is_backward = !is_known && graph.order(made.from, made.to);
    graph.enter(&made, is_backward) != Entered::Nothing && graph.has_backward()
}

/// One acquisition: a thread holds `held` and takes `to`.
fn insert(graph: &mut Graph, thread: u32, held: &[u32], to: u32) -> Option<Vec<Step>> {
    let modes: Vec<(u32, Mode)> = held.iter().map(|number| (*number, Mode::Write)).collect();
    insert_in(graph, thread, &modes, (to, Mode::Write))
}

fn insert_in(
    graph: &mut Graph,
    thread: u32,
    held: &[(u32, Mode)],
    to: (u32, Mode),
) -> Option<Vec<Step>> {
    let set = held.iter().fold(LocksetId::EMPTY, |set, (number, mode)| {
        lockset::add(set, lock(*number), *mode)
    });
    let mut found = None;
    for (from, mode) in held {
        let at = At { pc: 1, context: 1 };
        let instance = Instance::new((THREADS + thread, 0), set, (*mode, at), (to.1, at));
        let made = Made {
            from: lock(*from),
            to: lock(to.0),
            instance,
        };
        if add(graph, made) && found.is_none() {
            found = circle::through(graph, lock(*from), lock(to.0));
        }
    }
    found
}

#[test]
fn two_threads_in_opposite_order() {
    crate::init::for_tests();
    let mut graph = empty();
    assert!(insert(&mut graph, 1, &[1], 2).is_none());
    let circle = insert(&mut graph, 2, &[2], 1).unwrap();
    assert_eq!(circle.len(), 2);
    assert!(insert(&mut graph, 3, &[2], 1).is_none(), "found before");
}

#[test]
fn one_thread_alone_cannot() {
    crate::init::for_tests();
    let mut graph = empty();
    assert!(insert(&mut graph, 1, &[1], 2).is_none());
    assert!(insert(&mut graph, 1, &[2], 1).is_none());
    let circle = insert(&mut graph, 2, &[1], 2);
    assert_eq!(circle.map(|c| c.len()), Some(2), "now there is another");
}

#[test]
fn gates_keep_apart_until_one_goes_around() {
    crate::init::for_tests();
    let mut graph = empty();
    assert!(insert(&mut graph, 1, &[9, 1], 2).is_none());
    assert!(insert(&mut graph, 2, &[9, 2], 1).is_none());
    assert!(insert(&mut graph, 2, &[2], 1).is_some());
}

#[test]
fn three_philosophers() {
    crate::init::for_tests();
    let mut graph = empty();
    assert!(insert(&mut graph, 1, &[1], 2).is_none());
    assert!(insert(&mut graph, 2, &[2], 3).is_none());
    assert_eq!(insert(&mut graph, 3, &[3], 1).map(|c| c.len()), Some(3));
}

#[test]
fn forty_philosophers() {
    crate::init::for_tests();
    let mut graph = empty();
    for seat in 1..40 {
        assert!(insert(&mut graph, seat, &[seat], seat + 1).is_none());
    }
    assert_eq!(insert(&mut graph, 40, &[40], 1).map(|c| c.len()), Some(40));
}

#[test]
fn an_order_that_several_threads_use_counts_for_each_of_them() {
    crate::init::for_tests();
    let mut graph = empty();
    assert!(insert(&mut graph, 1, &[1], 2).is_none());
    assert!(insert(&mut graph, 1, &[2], 3).is_none());
    assert!(insert(&mut graph, 2, &[1], 2).is_none());
    assert_eq!(insert(&mut graph, 3, &[3], 1).map(|c| c.len()), Some(3));
}

#[test]
fn readers_let_each_other_in() {
    use Mode::{Read, Write};
    crate::init::for_tests();
    for (modes, expected) in [
        ([Read, Read, Read, Read], false),
        ([Read, Read, Write, Read], false),
        ([Read, Write, Read, Write], true),
        ([Write, Read, Write, Read], true),
        ([Write, Write, Write, Write], true),
        ([Read, Write, Write, Read], false),
    ] {
        let mut graph = empty();
        let [a, b, c, d] = modes;
        assert!(insert_in(&mut graph, 1, &[(1, a)], (2, b)).is_none());
        let found = insert_in(&mut graph, 2, &[(2, c)], (1, d)).is_some();
        assert_eq!(found, expected, "{modes:?}");
    }
}

#[test]
fn a_lock_that_is_gone_takes_its_edges_along() {
    crate::init::for_tests();
    let mut graph = empty();
    for other in 10..60 {
        insert(&mut graph, 1, &[1], other);
        insert(&mut graph, 1, &[other], 2);
    }
    (10..60)
        .step_by(2)
        .for_each(|other| graph.remove(lock(other)));
    assert_eq!(graph.outgoing(lock(1)).count(), 25);
    graph.remove(lock(1));
    assert!(insert(&mut graph, 2, &[2], 1).is_none());
    assert!(insert(&mut graph, 2, &[2], 11).is_some());
}

/// By definition: is there a circle of edges by different threads whose held
/// locks are disjoint?
pub(super) fn has_circle(made: &[(u32, Vec<u32>, u32)]) -> bool {
    fn extend(made: &[(u32, Vec<u32>, u32)], path: &mut Vec<(usize, u32)>) -> bool {
        let (last, _) = *path.last().unwrap();
        let (first, start) = path[0];
        for (i, (thread, held, to)) in made.iter().enumerate() {
            let apart = path.iter().all(|(j, _)| {
                let (other, others, _) = &made[*j];
                other != thread && others.iter().all(|lock| !held.contains(lock))
            });
            if !apart || !held.contains(&made[last].2) {
                continue;
            }
            if *to == start {
                return i != first;
            }
            if path.iter().any(|(j, _)| made[*j].2 == *to) {
                continue;
            }
            path.push((i, made[last].2));
            if extend(made, path) {
                return true;
            }
            path.pop();
        }
        false
    }
    made.iter()
        .enumerate()
        .any(|(i, (_, held, _))| held.iter().any(|from| extend(made, &mut vec![(i, *from)])))
}

/// What a program does: a thread takes a lock while holding others, or a lock
/// goes.
#[derive(Clone, Debug)]
pub(super) enum Act {
    Takes(u32, Vec<u32>, u32),
    Goes(u32),
}

pub(super) fn acts(locks: u32, held: usize) -> impl Strategy<Value = Act> {
    let taken = prop::collection::btree_set(1..=locks, 1..=held);
    prop_oneof![
        12 => (0..4u32, taken, 1..=locks).prop_map(|(thread, mut held, to): (_, BTreeSet<u32>, _)| {
            held.remove(&to);
            Act::Takes(thread, held.into_iter().collect(), to)
        }),
        1 => (1..=locks).prop_map(Act::Goes),
    ]
}

proptest! {
    /// With the very act that makes a circle possible, and not before.
    #[test]
    fn finds_what_the_definition_says(acts in prop::collection::vec(acts(6, 2), 1..12)) {
        crate::init::for_tests();
        let mut graph = empty();
        let mut made: Vec<(u32, Vec<u32>, u32)> = Vec::new();
        // Numbers rest for long before another lock gets them.
        let mut numbers: Vec<u32> = (0..=6).collect();
        for (at, act) in acts.iter().enumerate() {
            match act {
                Act::Takes(thread, held, to) => {
                    let to = numbers[*to as usize];
                    let held: Vec<u32> = held.iter().map(|lock| numbers[*lock as usize]).collect();
                    let found = insert(&mut graph, *thread, &held, to).is_some();
                    made.push((*thread, held, to));
                    prop_assert_eq!(found, has_circle(&made), "{:?}", &acts[..=at]);
                    // Each is found once; what comes after it is another test.
                    if found {
                        break;
                    }
                }
                Act::Goes(gone) => {
                    let gone = core::mem::replace(&mut numbers[*gone as usize], 10 + at as u32);
                    graph.remove(lock(gone));
                    // What it kept apart as a gate stays so.
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
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// Many of them: the same edges are there at last, and
    /// none seems to close a circle.
    #[test]
    fn all_orders_arrive(
        made in prop::collection::vec((0..4u32, 1..400u32, 1..400u32), 0..3000),
        turned in prop::collection::vec(any::<u16>(), 400)
    ) {
        crate::init::for_tests();
        let mut graph = empty();
        let mut model: BTreeSet<(u32, u32)> = BTreeSet::new();
        for (thread, one, other) in made {
            let key = |lock: u32| (turned[lock as usize], lock);
            let (from, to) = (key(one).min(key(other)).1, key(one).max(key(other)).1);
            if from != to {
                prop_assert!(insert(&mut graph, thread, &[from], to).is_none());
                model.insert((from, to));
            }
        }
        for from in 1..400 {
            let there = model.iter().filter(|edge| edge.0 == from).count();
            prop_assert_eq!(graph.outgoing(lock(from)).count(), there);
        }
        // Every edge turned round closes a circle with another thread.
        if let Some((from, to)) = model.first() {
            prop_assert!(insert(&mut graph, 5, &[*to], *from).is_some());
        }
    }
}
