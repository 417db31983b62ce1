//! Which symbols wait, lock, and pass the time.

#[path = "../src/sync_loops/known.rs"]
mod known;

use known::{Answer, MutexArgument, WaitFunction};

#[test]
fn members_of_condition_variables_that_wait_once() {
    for (name, answer) in [
        (
            "_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE",
            Answer::Unknown,
        ),
        (
            "_ZNSt3__118condition_variable4waitERNS_11unique_lockINS_5mutexEEE",
            Answer::Unknown,
        ),
        (
            "_ZNSt18condition_variable8wait_forIlSt5ratioILl1ELl1EEEESt9cv_statusRSt11unique_lock\
             ISt5mutexERKNSt6chrono8durationIT_T0_EE",
            Answer::ZeroIsWoken,
        ),
        (
            "_ZNSt3_V222condition_variable_any4waitISt11unique_lockISt5mutexEEEvRT_",
            Answer::Unknown,
        ),
    ] {
        let wait = WaitFunction::by_name(name).expect(name);
        assert_eq!(wait.condvar, 0, "{name}");
        assert_eq!(wait.mutex, MutexArgument::Held(1), "{name}");
        assert_eq!(wait.answer, answer, "{name}");
    }
    let any = "_ZNSt3_V222condition_variable_any4waitISt5mutexEEvRT_";
    let wait = WaitFunction::by_name(any).expect(any);
    assert_eq!(wait.mutex, MutexArgument::Direct(1));
}

#[test]
fn those_with_a_predicate_have_loops_of_their_own() {
    for name in [
        "_ZNSt18condition_variable4waitIZ4mainEUlvE_EEvRSt11unique_lockISt5mutexET_",
        "_ZNSt3_V222condition_variable_any4waitISt11unique_lockISt5mutexEZ1jvE3$_0EEvRT_T0_",
        "_ZNSt18condition_variable8wait_forIlSt5ratioILl1ELl1EEZ1hvE3$_0EEbRSt11unique_lockISt5\
         mutexERKNSt6chrono8durationIT_T0_EET1_",
        "_ZNSt18condition_variable10notify_allEv",
        "_ZN3app18condition_variable4waitEv",
        "pthread_cond_signal",
    ] {
        assert_eq!(WaitFunction::by_name(name), None, "{name}");
    }
}

#[test]
fn annotations_name_the_arguments() {
    let plain = WaitFunction::by_annotation("racert_wait").expect("an annotation");
    assert_eq!((plain.condvar, plain.mutex), (0, MutexArgument::Direct(1)));
    let placed = WaitFunction::by_annotation("racert_wait(2, 0)").expect("an annotation");
    assert_eq!(
        (placed.condvar, placed.mutex),
        (2, MutexArgument::Direct(0))
    );
    for other in ["racert_waits", "racert_wait(1)", "racert_wait(a,b)", "wait"] {
        assert_eq!(WaitFunction::by_annotation(other), None, "{other}");
    }
}

#[test]
fn guards_that_lock_are_told_from_those_that_do_not() {
    assert!(known::is_lock("pthread_mutex_lock"));
    assert!(known::is_lock("_ZNSt11unique_lockISt5mutexEC2ERS0_"));
    for name in [
        "_ZNSt11unique_lockISt5mutexEC2ERS0_St12adopt_lock_t",
        "_ZNSt11unique_lockISt5mutexEC1ERS0_St12defer_lock_t",
    ] {
        assert!(!known::is_lock(name), "{name}");
        assert!(known::is_guard_constructor(name), "{name}");
    }
}

#[test]
fn loads_of_the_library_are_loads() {
    use known::AtomicLoad::{OrderIsArgument, SequentiallyConsistent};
    for (name, load) in [
        (
            "_ZNKSt6atomicIbE4loadESt12memory_order",
            Some(OrderIsArgument),
        ),
        (
            "_ZNKSt13__atomic_baseIiE4loadESt12memory_order",
            Some(OrderIsArgument),
        ),
        ("_ZNKSt6atomicIbEcvbEv", Some(SequentiallyConsistent)),
        ("_ZNSt6atomicIbE5storeEbSt12memory_order", None),
        ("load", None),
    ] {
        assert_eq!(known::is_atomic_load(name), load, "{name}");
    }
}

#[test]
fn assembly_that_idles() {
    for idle in ["pause", "rep; nop", "", "\tpause\n", "rep nop"] {
        assert!(known::is_idle_assembly(idle), "{idle:?}");
    }
    assert!(!known::is_idle_assembly("lock; incl $0"));
    assert!(known::passes_time("sched_yield") && !known::passes_time("work"));
    assert!(known::is_clock("time") && known::is_errno("__errno_location"));
}

#[test]
fn waits_without_a_limit_and_what_gives_back() {
    for wait in [
        "pthread_cond_wait",
        "_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE",
    ] {
        assert!(known::is_untimed_wait(wait), "{wait}");
    }
    assert!(!known::is_untimed_wait("pthread_cond_timedwait"));
    for back in [
        "pthread_mutex_unlock",
        "_ZNSt5mutex6unlockEv",
        "_ZNSt10lock_guardISt5mutexED2Ev",
    ] {
        assert!(known::gives_back(back), "{back}");
    }
    assert!(!known::gives_back("pthread_mutex_lock"));
}
