use super::*;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

type Model = BTreeMap<u32, Mode>;

fn lock(number: u32) -> LockId {
    LockId::new(number).unwrap()
}

fn read_back(set: LocksetId) -> Model {
    items(set)
        .iter()
        .map(|item| (item.lock().unwrap().number(), item.mode()))
        .collect()
}

fn make(model: &Model) -> LocksetId {
    let add_one = |set, (number, mode): (&u32, &Mode)| add(set, lock(*number), *mode);
    model.iter().rev().fold(LocksetId::EMPTY, add_one)
}

fn modes() -> impl Strategy<Value = Mode> {
    prop_oneof![Just(Mode::Read), Just(Mode::Write)]
}

fn models() -> impl Strategy<Value = Model> {
    prop::collection::btree_map(1..40u32, modes(), 0..12)
}

proptest! {
    #[test]
    fn sets_behave_as_sets(steps in prop::collection::vec((any::<bool>(), 1..20u32, modes()), 0..60)) {
        crate::init::for_tests();
        let mut model = Model::new();
        let mut cache = Cache::new();
        let mut set = LocksetId::EMPTY;
        for (insert, number, mode) in steps {
            if insert {
                model.insert(number, mode);
                prop_assert_eq!(cache.add(set, lock(number), mode), add(set, lock(number), mode));
                set = cache.add(set, lock(number), mode);
            } else {
                model.remove(&number);
                set = remove(set, lock(number));
            }
            prop_assert_eq!(&read_back(set), &model);
            prop_assert_eq!(set, make(&model));
        }
    }

    #[test]
    fn intersections_and_common_locks(a in models(), b in models()) {
        crate::init::for_tests();
        let (x, y) = (make(&a), make(&b));
        let both: Model = a
            .iter()
            .filter_map(|(number, mode)| Some((*number, *mode.min(b.get(number)?))))
            .collect();
        prop_assert_eq!(read_back(intersect(x, y)), both);
        prop_assert_eq!(intersect(x, y), intersect(y, x));
        let apart: BTreeSet<u32> = a
            .iter()
            .filter(|(number, mode)| b.get(number).is_some_and(|other| mode.excludes(*other)))
            .map(|(number, _)| *number)
            .collect();
        prop_assert_eq!(common(x, y).map(LockId::number), apart.first().copied());
        prop_assert_eq!(common(y, x), common(x, y));
        let within = a.iter().all(|(number, mode)| b.get(number).is_some_and(|m| mode <= m));
        prop_assert_eq!(is_subset(x, y), within);
        prop_assert!(is_subset(intersect(x, y), x));
    }
}

#[test]
fn two_readers_are_not_kept_apart() {
    crate::init::for_tests();
    let reader = add(LocksetId::EMPTY, lock(7), Mode::Read);
    let writer = add(LocksetId::EMPTY, lock(7), Mode::Write);
    assert_eq!(common(reader, reader), None);
    assert_eq!(common(reader, writer), Some(lock(7)));
    assert_eq!(common(writer, writer), Some(lock(7)));
    assert_eq!(common(writer, LocksetId::EMPTY), None);
}

#[test]
fn threads_agree_on_numbers() {
    crate::init::for_tests();
    let build = || -> Vec<LocksetId> {
        (1000..1400)
            .scan(LocksetId::EMPTY, |set, number| {
                *set = add(*set, lock(number), Mode::Write);
                Some(*set)
            })
            .collect()
    };
    let threads: Vec<_> = (0..4).map(|_| std::thread::spawn(build)).collect();
    let all: Vec<_> = threads.into_iter().map(|t| t.join().unwrap()).collect();
    assert!(all.iter().all(|sets| *sets == all[0]));
    assert_eq!(items(all[0][399]).len(), 400);
}
