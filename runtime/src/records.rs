//! The runtime's way from a finding to its record, without the process.
//!
//! This is the root of a library of its own, `racert-records`, made of the
//! same files as the runtime: `racert report` names what a program left as
//! modules and offsets with the code that would have named it in the process,
//! so sentences and fingerprints come out the same. Only what needs no process
//! is here; [`options`] stands in for the rest.
#![no_std]
#![expect(dead_code, reason = "the runtime uses the rest of these files")]
#![expect(unreachable_pub, reason = "what the runtime exports is private here")]

extern crate alloc;

pub mod finding;
pub mod os;
mod spin;
pub mod symbol;

mod internal_error {
    //! What becomes of a broken runtime: there is none here.

    /// It is never off.
    pub(crate) fn is_off() -> bool {
        false
    }

    /// As it is never off.
    pub(crate) fn leave_if_off() {}

    /// Nobody restores it.
    pub(crate) fn note_mask(_before: u64) -> bool {
        false
    }

    /// Nothing was noted.
    pub(crate) fn forget_mask() {}
}

pub mod lock {
    //! Locks as reports speak of them.

    mod description;
    pub mod finding;

    pub use description::{Description, Kind, LockId};
}

pub mod options {
    //! The options that records depend on.

    use alloc::string::String;

    /// Those options.
    #[derive(Clone, Debug, Default)]
    pub struct Options {
        /// What file names lose at their beginning.
        pub strip_path_prefix: String,
    }
}

pub mod report {
    //! From a finding to its record.

    mod allocated;
    mod details;
    mod excerpt;
    mod explain;
    mod fingerprint;
    mod frames;
    mod hash;
    mod json {
        mod notice;
        mod record;
        mod writer;
        pub(super) use notice::notice;
        pub(super) use record::{Context, finding, lock_finding};
    }
    mod kind;
    mod last;
    mod locks;
    mod names;
    pub mod notice {
        //! Findings that are one sentence and one stack.

        use crate::finding::Stack;

        /// Such a finding, as far as its record depends on it.
        pub struct Notice<'a> {
            /// In records and fingerprints: never changes.
            pub id: &'static str,
            /// What the first and the last line call it.
            pub title: &'a str,
            /// What happened, ending in a colon.
            pub said: &'a str,
            /// Number of the thread that did it.
            pub thread: u32,
            /// Where.
            pub stack: Stack,
            /// What to change, a sentence without full stop.
            pub suggestion: Option<&'static str>,
        }
    }
    mod order;
    mod others;
    mod place;
    mod stack_variable {
        //! Which local variable an address on a thread's stack is: the record
        //! says in which call, and the resolver has that.

        use super::frames::Resolved;
        use crate::finding::Place;
        use crate::symbol::{Bytes, Resolve};

        /// Names `resolved`, which is at `bytes`.
        pub(super) fn name(resolved: &mut Resolved, bytes: Bytes, resolver: &mut dyn Resolve) {
            if let Place::ThreadStack { .. } = resolved.place {
                resolved.local = resolver.local(bytes, 0, 0, None);
            }
        }
    }
    mod suggestion;
    mod time;

    use crate::finding::{Act, Finding, Kind, Operation, ThreadInfo};
    use crate::lock::finding::{LockFinding, Trouble};
    use crate::options::Options;
    use crate::symbol::Resolve;
    use alloc::string::String;
    use details::Details;
    use excerpt::Sources;
    use frames::Resolved;
    use locks::{Named, named_parts};

    /// Makes records again. What they say of process and time is empty.
    pub struct Records {
        sources: Sources,
        options: Options,
    }

    impl Records {
        /// Nothing read yet.
        pub fn new(options: Options) -> Records {
            let sources = Sources::new();
            Records { sources, options }
        }

        /// The record of a race.
        pub fn race(&mut self, finding: &Finding, resolver: &mut dyn Resolve) -> String {
            let mut resolved = Resolved::new(finding, resolver);
            let shared = frames::shared_bytes(finding);
            allocated::name_part(&mut resolved, shared, resolver, &mut self.sources);
            stack_variable::name(&mut resolved, shared, resolver);
            let details = Details::new(finding, &resolved, &[], resolver, &mut self.sources);
            json::finding(&NOWHERE, finding, &resolved, &details, &self.options)
        }

        /// The record of a finding about locks.
        pub fn locks(&mut self, finding: &LockFinding, resolver: &mut dyn Resolve) -> String {
            let parts = named_parts(finding, resolver);
            let named = Named::new(finding, parts, resolver, &mut self.sources);
            json::lock_finding(&NOWHERE, finding, &named, &self.options)
        }
    }

    impl Records {
        /// The record of a notice that mentions `threads`.
        pub fn notice(
            &mut self,
            notice: &notice::Notice<'_>,
            threads: &[ThreadInfo],
            resolver: &mut dyn Resolve,
        ) -> String {
            let lines = frames::lines(&notice.stack, resolver);
            let creations = locks::creations(threads, resolver);
            let threads = (threads, &creations[..]);
            json::notice(&NOWHERE, notice, &lines, threads, &self.options)
        }
    }

    /// The kind of race that records call `id`.
    pub fn kind(id: &str) -> Option<Kind> {
        KINDS.iter().copied().find(|kind| kind::id(*kind) == id)
    }

    /// What records call each kind of race and of trouble with locks.
    pub fn ids() -> impl Iterator<Item = &'static str> {
        let races = KINDS.iter().map(|kind| kind::id(*kind));
        races.chain(TROUBLES.iter().map(|trouble| trouble.id()))
    }

    /// The operation that records call `id`.
    pub fn operation(id: &str) -> Option<Operation> {
        let mut all = OPERATIONS.iter().copied();
        all.find(|operation| kind::operation_id(*operation) == id)
    }

    /// The act of synchronisation that records call `id`.
    pub fn act(id: &str) -> Option<Act> {
        Act::ALL.into_iter().find(|act| kind::act_id(*act) == id)
    }

    /// The kind of trouble with locks that records call `id`.
    pub fn trouble(id: &str) -> Option<Trouble> {
        let mut all = TROUBLES.iter().copied();
        all.find(|trouble| trouble.id() == id)
    }

    /// All variants of an enumeration: one that is not listed does not compile.
    macro_rules! every {
        ($all:ident: $of:ident { $($variant:ident)* }) => {
            const $all: &[$of] = {
                const fn _all_are_listed(one: $of) {
                    match one {
                        $($of::$variant => (),)*
                    }
                }
                &[$($of::$variant),*]
            };
        };
    }

    every!(KINDS: Kind {
        DataRace PossibleRace Unprotected UseAfterFreeRace UseAfterFree VptrRace AdHocSync
        RelaxedSync
        DescriptorRace
    });
    every!(OPERATIONS: Operation {
        Read Write AtomicRead AtomicWrite Free Allocate UseDescriptor ChangeDescriptor
    });
    every!(TROUBLES: Trouble {
        OrderInversion Deadlock UnlockUnlocked UnlockByOther DoubleLock Upgrade WrongMode
        DestroyLocked UseDestroyed WaitUnlocked WaitTwoMutexes EndLocked NoneExpected
        CondvarDestroyed BarrierDestroyed BarrierReinitialised Refused FreeLocked Uninitialised
        LostWakeup WaitOutsideLoop SignalUnlocked ConditionUnlocked
    });

    const NOWHERE: json::Context<'static> = json::Context {
        pid: 0,
        now: 0,
        program: None,
    };
}
