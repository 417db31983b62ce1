//! Findings made by hand, and a table of names for them.

use crate::finding::{
    Access, Act, Finding, Handover, HeldLock, Kind, LastLock, LastSync, Operation, Place, Stack,
    ThreadInfo,
};
use crate::lock::finding::{LockFinding, LockInfo, Part, Trouble};
use crate::lock::{self, Description, LockId};
use crate::symbol;
use crate::symbol::{
    Block, Bytes, Code, Data, Frame, Hint, InModule, Resolve, SourceLine, Variable,
};

/// A program of two files: `app` at 0x1000, `lib.so` at 0x9000.
pub(in crate::report) struct Table;

pub(super) fn frame(function: &str, file: &str, line: u32, column: u32) -> Frame {
    Frame {
        function: Some(function.into()),
        source: Some(SourceLine {
            file: file.into(),
            line,
            column,
        }),
    }
}

pub(super) fn module(address: u64) -> Option<InModule> {
    let (path, start, id) = match address {
        0x1000..0x9000 => ("/bin/app", 0x1000, None),
        0x9000..0xa000 => ("/lib/lib.so", 0x9000, Some("c0ffee".to_string())),
        0xb000..0xc000 => ("/lib/libstdc++.so.6", 0xb000, None),
        _ => return None,
    };
    Some(InModule {
        path: path.into(),
        offset: address - start,
        build_id: id,
    })
}

impl Resolve for Table {
    fn code(&mut self, address: u64) -> Code {
        let frames = match address {
            0x10ff => vec![
                frame("bump", "/src/inline.h", 7, 3),
                frame("worker", "/src/app.c", 12, 5),
            ],
            0x11ff => vec![frame("main", "/src/app.c", 30, 0)],
            0x12ff => vec![frame("worker", "/src/app.c", 13, 9)],
            0x13ff => vec![Frame {
                function: Some("start_thread".into()),
                source: None,
            }],
            0x14ff => vec![Frame {
                function: Some("__racert_memcpy".into()),
                source: None,
            }],
            0x15ff => vec![Frame {
                function: Some("no_lines".into()),
                source: None,
            }],
            0x17ff => vec![frame("main", "/src/app.c", 30, 0)],
            0x18ff => vec![frame("main", "/src/app.c", 99, 0)],
            0x16ff => vec![frame("bump", "/src/inline.h", 7, 3)],
            _ => vec![],
        };
        Code {
            frames,
            module: module(address),
        }
    }

    fn data(&mut self, bytes: Bytes, code: &[u64]) -> Data {
        let address = bytes.address;
        match address {
            0x4000..0x4028 => Data::Global(
                Variable {
                    name: "counters".into(),
                    start: 0x4000,
                    size: 40,
                    declared: code.contains(&0x11ff).then(|| SourceLine {
                        file: "/src/app.c".into(),
                        line: 3,
                        column: 0,
                    }),
                    part: None,
                },
                module(0x4000).unwrap(),
            ),
            0x4800..0x4850 => Data::Global(
                Variable {
                    name: "table".into(),
                    start: 0x4800,
                    size: 80,
                    declared: None,
                    part: Some(symbol::Part {
                        path: format!("[{}].next", (address - 0x4800) / 16),
                        start: address,
                        size: 8,
                        type_name: "struct node *".into(),
                        member: Some("node.next".into()),
                    }),
                },
                module(0x4800).unwrap(),
            ),
            0x5000 => Data::Module(module(address).unwrap()),
            0x7ff0_0000 => Data::Mapping(0x7fe0_0000, 0x8000_0000, "[stack]".into()),
            0x10_0000..0x10_1000 => Data::Mapping(0x10_0000, 0x10_1000, String::new()),
            _ => Data::Unknown,
        }
    }

    fn local(&mut self, _: Bytes, _: u64, _: u64, _: Option<u64>) -> Option<Variable> {
        None
    }

    fn allocated(&mut self, _: u64, _: &Hint, _: Block, _: Bytes) -> Option<symbol::Part> {
        None
    }

    fn thread_local(&mut self, bytes: Bytes, pointer: u64, _: &[u64]) -> Option<Variable> {
        (bytes.address == pointer - 8).then(|| Variable {
            name: "cache".into(),
            start: bytes.address,
            size: 8,
            declared: None,
            part: None,
        })
    }
}

pub(in crate::report) fn stack(addresses: &[u64]) -> Stack {
    Stack {
        addresses: addresses.to_vec(),
        callers_lost: false,
    }
}

pub(in crate::report) fn finding(address: u64, place: Place) -> Finding {
    Finding {
        kind: Kind::DataRace,
        accesses: [
            Access {
                operation: Operation::Write,
                address,
                size: 4,
                thread: 2,
                stack: stack(&[0x1100, 0x1400]),
                locks: Some(Vec::new()),
                last_lock: None,
                last_sync: None,
            },
            Access {
                operation: Operation::Read,
                address,
                size: 4,
                thread: 0,
                stack: stack(&[0x1200]),
                locks: None,
                last_lock: None,
                last_sync: None,
            },
        ],
        place,
        threads: vec![
            ThreadInfo {
                number: 0,
                os_id: 100,
                name: Some("app".into()),
                running: true,
                created: None,
            },
            ThreadInfo {
                number: 2,
                os_id: 102,
                name: Some("worker".into()),
                running: true,
                created: Some((0, stack(&[0x1200]))),
            },
        ],
        locks: Vec::new(),
        handovers: Vec::new(),
    }
}

/// A mutex that is the global at 0x4000, or part of it.
fn lock_info(address: u64, initialised: bool) -> LockInfo {
    LockInfo {
        lock: LockId::new(3).map(|id| Description {
            id,
            address: address as usize,
            kind: lock::Kind::Mutex,
            initialised,
            stack: 0,
            thread: 2,
            destroyed: 0,
        }),
        noun: "mutex",
        address,
        place: Place::Other,
        created: stack(&[0x1100]),
        destroyed: None,
    }
}

/// As [`finding`], with two locks held by the newer access.
pub(in crate::report) fn finding_with_locks() -> Finding {
    let mut finding = finding(0x4004, Place::Other);
    let held = |lock, write| HeldLock {
        lock,
        write,
        taken: stack(&[0x1100, 0x1400]),
    };
    finding.accesses[0].locks = Some(vec![held(0, true), held(1, false)]);
    finding.locks = vec![lock_info(0x4000, true), lock_info(0x9000, false)];
    finding
}

/// A race that only the order of two critical sections hid.
pub(in crate::report) fn possible() -> Finding {
    let mut finding = finding_with_locks();
    finding.kind = Kind::PossibleRace;
    finding.accesses[0].locks = Some(Vec::new());
    finding.accesses[1].locks = Some(vec![HeldLock {
        lock: 1,
        write: true,
        taken: stack(&[0x1200]),
    }]);
    finding.accesses[0].last_lock = Some(LastLock {
        lock: 0,
        released: true,
        stack: stack(&[0x1300]),
    });
    finding.accesses[1].last_sync = Some(LastSync {
        act: Act::SemaphorePost,
        object: Some(2),
        thread: None,
        descriptor: None,
        stack: stack(&[0x1200]),
    });
    finding.locks.push(LockInfo {
        lock: None,
        noun: "semaphore",
        ..lock_info(0x9000, false)
    });
    finding.handovers = vec![Handover {
        lock: 0,
        from: 0,
        to: 2,
        taken: stack(&[0x1300]),
    }];
    finding
}

/// A lock-order inversion.
pub(in crate::report) fn inversion() -> LockFinding {
    let part = |said: &str, thread, address| Part {
        said: said.into(),
        thread,
        stack: stack(&[address]),
    };
    LockFinding {
        trouble: Trouble::OrderInversion,
        message: "Thread T2 takes {1} while holding {0}.".into(),
        suggestion: Some("take {0} and {1} in the same order everywhere".into()),
        parts: vec![
            part("{1} taken by thread T2, which holds {0}, at:", 2, 0x1100),
            part("{0} taken by main thread, which holds {1}, at:", 0, 0x1200),
        ],
        locks: vec![lock_info(0x4000, true), lock_info(0x9000, false)],
        threads: finding(0x4000, Place::Other).threads,
    }
}
