//! The ring against a list that keeps everything.

use super::ring::Ring;
use super::{Newest, Span, at, last_before, note_in, settled_in};
use crate::clock::Snapshot;
use crate::lock::held::At;
use crate::lock::{LockId, Mode};
use crate::lockset::{self, LocksetId};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::sync::atomic::{AtomicBool, Ordering};
use proptest::prelude::*;

fn place(pc: usize) -> At {
    At { pc, context: 7 }
}

fn lock() -> LockId {
    LockId::new(3).unwrap()
}

fn held() -> LocksetId {
    crate::init::for_tests();
    lockset::add(LocksetId::EMPTY, lock(), Mode::Write)
}

fn all(ring: &Ring) -> Vec<Span> {
    ring.kept().filter_map(|i| ring.get(i)).collect()
}

proptest! {
    #[test]
    fn positions_are_found_in_the_span_that_holds_them(
        steps in prop::collection::vec(prop_oneof![0..4u64, 0..4u64, 0..400u64], 1..200)
    ) {
        let (ring, held) = (Ring::new(), held());
        let mut start = 1;
        let mut model: Vec<(u64, usize)> = Vec::new();
        let known: Snapshot = Arc::from([1, 2]);
        for (i, step) in steps.iter().enumerate() {
            start += step;
            let locks = if i % 2 == 0 { held } else { LocksetId::EMPTY };
            note_in(&ring, start, locks, Newest::new(lock(), place(i)), &known);
            model.retain(|(at, _)| *at != start);
            model.push((start, i));
        }
        let noted: Vec<_> = all(&ring).iter().map(|s| (s.start, s.pc as usize)).collect();
        prop_assert_eq!(&noted, &model);
        for pos in 0..start + 3 {
            let wanted = model.iter().rev().find(|(at, _)| *at <= pos);
            let found = at(&ring, pos).map(|(_, span)| (span.start, span.pc as usize));
            prop_assert_eq!(found, wanted.copied());
        }
    }
}

proptest! {
    #[test]
    fn what_is_settled_is_what_was_given_back(
        steps in prop::collection::vec((0..3u64, 0..4usize), 1..60)
    ) {
        let ring = Ring::new();
        held();
        let known: Snapshot = Arc::from([1, 2]);
        let locks = [11, 12, 13, 14].map(|n| LockId::new(n).unwrap());
        let (mut start, mut holds) = (1, [false; 4]);
        // What is held at each position, and what was at all moments before it.
        let mut model: Vec<([bool; 4], [bool; 4])> = alloc::vec![(holds, holds)];
        note_in(&ring, start, LocksetId::EMPTY, Newest::UNKNOWN, &known);
        for (i, (step, which)) in steps.iter().enumerate() {
            start += step;
            model.resize(model.len().max(start as usize), (holds, holds));
            let mut always = model.get(start as usize).map_or(holds, |moments| moments.1);
            holds[*which] ^= true;
            always = [0, 1, 2, 3].map(|i| always[i] && holds[i]);
            model.truncate(start as usize);
            model.push((holds, always));
            let set = (0..4).filter(|i| holds[*i]).fold(LocksetId::EMPTY, |set, i| {
                lockset::add(set, locks[i], Mode::Write)
            });
            note_in(&ring, start, set, Newest::new(locks[*which], place(i)), &known);
        }
        let given_back = |pos: u64, end: u64| {
            let later = &model[pos as usize + 1..=(end as usize).min(model.len() - 1)];
            (0..4)
                .filter(|i| model[pos as usize].0[*i])
                .all(|i| later.iter().any(|(_, always)| !always[i]))
        };
        for end in 2..=start {
            let said = settled_in(&ring, end);
            for pos in 1..end {
                let is_settled = said.is_some_and(|said| pos < said);
                prop_assert_eq!(is_settled, given_back(pos, end), "{} {}", pos, end);
            }
        }
    }
}

#[test]
fn the_oldest_spans_go_and_what_was_known_with_them() {
    let (ring, held) = (Ring::new(), held());
    let note = |i: u64| {
        let known: Snapshot = Arc::from([i, i]);
        note_in(&ring, i + 1, held, Newest::new(lock(), place(1)), &known);
    };
    note(0);
    let total = ring.room() as u64 + 500;
    (1..total).for_each(note);
    assert!(!ring.is_whole());
    assert!(last_before(&ring, 401).is_none());
    let (_, span) = at(&ring, total).unwrap();
    assert_eq!(span.start, total);
    assert_eq!(ring.known_at(&span).unwrap()[..], [total - 1; 2]);
    let (_, old) = at(&ring, 600).unwrap();
    assert_eq!(ring.known_at(&old).unwrap()[..], [599, 599]);
}

#[test]
fn large_clocks_are_kept_for_a_shorter_time() {
    let (ring, held) = (Ring::new(), held());
    for i in 0..1000 {
        let known: Snapshot = alloc::vec![i; 4096].into();
        note_in(&ring, i + 1, held, Newest::new(lock(), place(1)), &known);
    }
    assert_eq!(all(&ring).len(), 1000);
    let known = |pos| ring.known_at(&at(&ring, pos).unwrap().1);
    assert_eq!(known(1), None);
    assert_eq!(known(1000).unwrap()[0], 999);
}

#[test]
fn readers_see_whole_spans_while_the_ring_goes_round() {
    static RING: Ring = Ring::new();
    static DONE: AtomicBool = AtomicBool::new(false);
    let held = held();
    let known: Snapshot = Arc::from([1, 2]);
    let reader = std::thread::spawn(|| {
        while !DONE.load(Ordering::Relaxed) {
            let kept = RING.kept();
            for index in [kept.start, kept.end.saturating_sub(1)] {
                if let Some(span) = RING.get(index) {
                    assert_eq!(span.pc / 2, span.start, "{span:?}");
                }
            }
        }
    });
    let mut i = 0;
    while i < 4 * RING.room() {
        // Every span is replaced once by another with the same start.
        for half in 0..2 {
            let locks = if half == 0 { held } else { LocksetId::EMPTY };
            let at = place(2 * i + half);
            note_in(&RING, i as u64, locks, Newest::new(lock(), at), &known);
        }
        i += 1;
    }
    DONE.store(true, Ordering::Relaxed);
    reader.join().unwrap();
}
