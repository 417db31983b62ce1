//! How kinds and operations are called.

use crate::finding::{Act, Kind, Operation};

/// In the first and the last line of a report.
pub(super) fn title(kind: Kind) -> &'static str {
    match kind {
        Kind::DataRace => "data race",
        Kind::PossibleRace | Kind::Unprotected => "possible data race",
        Kind::UseAfterFreeRace => "data race with free",
        Kind::UseAfterFree => "heap use after free",
        Kind::VptrRace => "data race on a vtable pointer",
        Kind::AdHocSync => "ad-hoc synchronisation on a non-atomic variable",
        Kind::RelaxedSync => "ad-hoc synchronisation on a relaxed atomic variable",
        Kind::DescriptorRace => "race on a file descriptor",
    }
}

/// In records and fingerprints: never changes.
pub(super) fn id(kind: Kind) -> &'static str {
    match kind {
        Kind::DataRace => "data-race",
        Kind::PossibleRace => "possible-data-race",
        Kind::Unprotected => "unprotected-data",
        Kind::UseAfterFreeRace => "data-race-with-free",
        Kind::UseAfterFree => "heap-use-after-free",
        Kind::VptrRace => "vptr-race",
        Kind::AdHocSync => "ad-hoc-synchronisation",
        Kind::RelaxedSync => "relaxed-synchronisation",
        Kind::DescriptorRace => "descriptor-race",
    }
}

/// Whether this run proves it or another schedule may show it.
pub(super) fn certainty(kind: Kind) -> &'static str {
    match kind {
        Kind::DataRace
        | Kind::UseAfterFreeRace
        | Kind::UseAfterFree
        | Kind::VptrRace
        | Kind::AdHocSync
        | Kind::RelaxedSync
        | Kind::DescriptorRace => "proven",
        Kind::PossibleRace | Kind::Unprotected => "possible",
    }
}

/// An operation as a noun.
pub(super) fn noun(operation: Operation) -> &'static str {
    match operation {
        Operation::Read => "read",
        Operation::Write => "write",
        Operation::AtomicRead => "atomic read",
        Operation::AtomicWrite => "atomic write",
        Operation::Free => "free",
        Operation::Allocate => "allocation",
        Operation::UseDescriptor => "use",
        Operation::ChangeDescriptor => "opening or closing",
    }
}

/// An operation as a verb.
pub(super) fn verb(operation: Operation) -> &'static str {
    match operation {
        Operation::Read => "reads",
        Operation::Write => "writes",
        Operation::AtomicRead => "atomically reads",
        Operation::AtomicWrite => "atomically writes",
        Operation::Free => "frees",
        Operation::Allocate => "allocates",
        Operation::UseDescriptor => "uses",
        Operation::ChangeDescriptor => "opens or closes",
    }
}

/// An operation in records: never changes.
pub(super) fn operation_id(operation: Operation) -> &'static str {
    match operation {
        Operation::Read => "read",
        Operation::Write => "write",
        Operation::AtomicRead => "atomic-read",
        Operation::AtomicWrite => "atomic-write",
        Operation::Free => "free",
        Operation::Allocate => "allocate",
        Operation::UseDescriptor => "use-descriptor",
        Operation::ChangeDescriptor => "change-descriptor",
    }
}

/// An act of synchronisation in records: never changes.
pub(super) fn act_id(act: Act) -> &'static str {
    match act {
        Act::ThreadCreate => "thread-create",
        Act::ThreadJoin => "thread-join",
        Act::CondvarSignal => "condition-variable-signal",
        Act::CondvarWait => "condition-variable-wait",
        Act::SemaphorePost => "semaphore-post",
        Act::SemaphoreWait => "semaphore-wait",
        Act::BarrierWait => "barrier-wait",
        Act::OnceRun => "once-run",
        Act::OncePassed => "once-passed",
        Act::AtomicRelease => "atomic-release",
        Act::AtomicAcquire => "atomic-acquire",
        Act::AtomicUpdate => "atomic-update",
        Act::Fence => "fence",
        Act::Send => "descriptor-write",
        Act::Receive => "descriptor-read",
        Act::Release => "release",
        Act::Acquire => "acquire",
    }
}

/// Is it an atomic instruction?
pub(super) fn is_atomic(operation: Operation) -> bool {
    matches!(operation, Operation::AtomicRead | Operation::AtomicWrite)
}
