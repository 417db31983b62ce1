//! Golden texts, from findings made by hand and a table of names.

mod fixture;
mod whole;

pub(super) use fixture::{Table, finding, finding_with_locks, inversion, possible, stack};
use fixture::{frame, module};

use super::details::Details;
use super::excerpt::Sources;
use super::frames::Resolved;
use super::locks::Named;
use super::seen::Seen;
use super::{color::Colors, text};
use crate::finding::{Finding, HeldLock, Kind, Operation, Place, Stack, ThreadInfo};
use crate::lock::finding::Trouble;
use crate::options::Options;
use crate::symbol;
use crate::symbol::{Block, Bytes, Code, Data, Hint, Resolve, Variable};

#[test]
fn held_locks_are_named_with_where_they_were_taken() {
    let text = render(&finding_with_locks());
    for part in [
        "by thread T2 (name \"worker\"), holding mutex 'counters' and mutex M2 for reading:\n",
        "  Mutex 'counters' was taken by thread T2 at:\n    #0 bump ",
        "  Mutex 'counters' is global 'counters' ",
        "  It was initialised by thread T2 at:\n    #0 bump ",
        "  Mutex M2 is in ",
        "  It was first used by thread T2 at:\n",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
}

#[test]
fn a_possible_race_says_which_locks_hid_it() {
    let text = render(&possible());
    let words: Vec<&str> = text.split_whitespace().collect();
    let flat = words.join(" ");
    for part in [
        "The main thread holds mutex M2, thread T2 holds none. Ordered in this run only because \
         thread T2 took mutex 'counters' (app.c:13) after the main thread had released it;",
        "ANNOTATE_PURE_HAPPENS_BEFORE_MUTEX(&counters) says so",
        "Previous read of size 4 at 0x4004 by main thread, holding mutex M2:",
        "Mutex 'counters' was taken by thread T2, after main thread had released it, at: #0 worker",
        "Mutex M2 was taken by main thread at: #0 main",
        "Thread T2 had last released mutex 'counters' before its access, at: #0 worker",
    ] {
        assert!(flat.contains(part), "{part}\n{text}");
    }
}

#[test]
fn the_locks_of_both_are_told() {
    let told = |ours: &[(usize, bool)], theirs: &[(usize, bool)]| {
        let mut finding = finding_with_locks();
        let held = |all: &[(usize, bool)]| {
            let held = all.iter().map(|(lock, write)| HeldLock {
                lock: *lock,
                write: *write,
                taken: stack(&[0x1100]),
            });
            Some(held.collect())
        };
        finding.accesses[0].locks = held(ours);
        finding.accesses[1].locks = held(theirs);
        let text = render(&finding).replace("\n  ", " ");
        let start = text.find("(app.c:30). ").unwrap() + 12;
        let end = text.find(" No atomic, join").unwrap();
        text[start..end].to_string()
    };
    assert_eq!(told(&[], &[]), "Neither holds a lock.");
    assert_eq!(
        told(&[(0, true), (1, false)], &[]),
        "Thread T2 holds mutex 'counters' and mutex M2 for reading, the main thread holds none."
    );
    assert_eq!(
        told(&[(0, true)], &[(1, true)]),
        "Thread T2 holds mutex 'counters', the main thread holds mutex M2: no lock in common."
    );
    assert_eq!(
        told(&[(0, false)], &[(0, false)]),
        "Both hold mutex 'counters' for reading, which does not keep them apart."
    );
}

#[test]
fn an_inversion_names_its_locks() {
    let finding = inversion();
    let named = Named::of(&finding, &mut Table);
    let colors = Colors::new(false);
    let text = text::render_locks(&finding, &named, &Options::default(), &colors);
    for part in [
        "WARNING: racert: lock-order inversion (potential deadlock) (pid=",
        "\n  Thread T2 takes mutex M2 while holding mutex 'counters'.\n\n",
        "\n  Mutex M2 taken by thread T2, which holds mutex 'counters', at:\n    #0 bump ",
        "\n  Suggestion: take mutex 'counters' and mutex M2 in the same order everywhere.\n",
        "SUMMARY: racert: lock-order inversion (potential deadlock) /src/inline.h:7 in bump\n",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    let mut turned = inversion();
    turned.parts.reverse();
    let again = Named::of(&turned, &mut Table);
    assert_eq!(named.fingerprint, again.fingerprint);
}

#[test]
fn advice_is_called_advice() {
    let mut finding = inversion();
    finding.trouble = Trouble::WaitOutsideLoop;
    let named = Named::of(&finding, &mut Table);
    let colors = Colors::new(false);
    let text = text::render_locks(&finding, &named, &Options::default(), &colors);
    assert!(
        text.starts_with("ADVICE: racert: wait on a condition variable outside a loop (pid="),
        "{text}"
    );
}

fn render_with(finding: &Finding, options: &Options, colored: bool) -> String {
    let resolved = Resolved::new(finding, &mut Table);
    let colors = Colors::new(colored);
    let details = Details::new(finding, &resolved, &[], &mut Table, &mut Sources::new());
    let text = text::render(finding, &resolved, &details, options, &colors);
    text.replace(&format!("(pid={})", std::process::id()), "(pid=N)")
}

fn render(finding: &Finding) -> String {
    render_with(finding, &Options::default(), false)
}

/// The sentence about the location and what belongs to it.
fn location(finding: &Finding) -> String {
    let text = render(finding);
    let start = text.find("  Location is ").unwrap();
    let end = text.rfind("  Thread T2").unwrap();
    text[start..end].to_string()
}

#[test]
fn global() {
    assert_eq!(
        render(&finding(0x4004, Place::Other)),
        "\
WARNING: racert: data race (pid=N)
  Thread T2 (name \"worker\") writes 4 bytes at offset 4 of global 'counters' in
  bump (inline.h:7), and the main thread reads the same bytes in main
  (app.c:30). No lock, atomic, join or other synchronisation of this run puts
  one before the other, so they can happen at the same time: a proven race.

  Write of size 4 at 0x4004 by thread T2 (name \"worker\"):
    #0 bump /src/inline.h:7:3 (/bin/app+0xff)
    #1 worker /src/app.c:12:5 (/bin/app+0xff)
  Previous read of size 4 at 0x4004 by main thread:
    #0 main /src/app.c:30 (/bin/app+0x1ff)
  Location is global 'counters' of size 40 at 0x4000, offset 4 (/bin/app+0x3000), declared at /src/app.c:3
  Thread T2 (name \"worker\", os id 102, running) created by main thread at:
    #0 main /src/app.c:30 (/bin/app+0x1ff)
  Suggestion: guard both accesses to 'counters' with the same lock.
SUMMARY: racert: data race /src/inline.h:7 in bump

"
    );
}

#[test]
fn a_member_of_an_element() {
    let mut finding = finding(0x4818, Place::Other);
    finding
        .accesses
        .iter_mut()
        .for_each(|access| access.size = 8);
    let text = render(&finding);
    for part in [
        "writes global 'table[1].next' in",
        "reads it in",
        "Location is global 'table[1].next' (struct node * node.next), part of 'table' of size 80 \
         at 0x4800, offset 24 (",
        "guard both accesses to 'table[1].next' with the same lock, or make it",
    ] {
        assert!(text.replace("\n  ", " ").contains(part), "{part}\n{text}");
    }
}

#[test]
fn free_of_a_heap_block_whose_callers_are_lost() {
    let mut finding = finding(
        0x7008,
        Place::Heap {
            start: 0x7000,
            size: 64,
            thread: 0,
            stack: stack(&[0x1500, 0x1200]),
            freed: true,
        },
    );
    finding.kind = Kind::UseAfterFreeRace;
    finding.accesses[0].operation = Operation::AtomicWrite;
    let previous = &mut finding.accesses[1];
    previous.operation = Operation::Free;
    (previous.address, previous.size, previous.thread) = (0x7000, 64, 3);
    previous.stack = Stack {
        addresses: vec![0x9100],
        callers_lost: true,
    };
    finding.threads.push(ThreadInfo {
        number: 3,
        os_id: 103,
        name: None,
        running: false,
        created: None,
    });
    assert_eq!(
        render(&finding),
        "\
WARNING: racert: data race with free (pid=N)
  Thread T2 (name \"worker\") atomically writes 4 bytes at offset 8 of a heap
  block of 64 bytes, allocated by main (app.c:30), in bump (inline.h:7), and
  thread T3 frees that block. No lock, atomic, join or other synchronisation of
  this run puts one before the other, so the block can be used after it was
  freed: a proven race.

  Atomic write of size 4 at 0x7008 by thread T2 (name \"worker\"):
    #0 bump /src/inline.h:7:3 (/bin/app+0xff)
    #1 worker /src/app.c:12:5 (/bin/app+0xff)
  Previous free of heap block of size 64 at 0x7000 by thread T3:
    #0 /lib/lib.so+0xff (build id c0ffee)
    (its callers are no longer known)
  Location is freed heap block of size 64 at 0x7000, offset 8, allocated by main thread:
    #0 main /src/app.c:30 (/bin/app+0x1ff)
  Thread T2 (name \"worker\", os id 102, running) created by main thread at:
    #0 main /src/app.c:30 (/bin/app+0x1ff)
  Thread T3 (os id 103, finished), its creation was not seen
  Suggestion: free the block only when thread T2 is done with it: join that
  thread first, or share ownership of the block.
SUMMARY: racert: data race with free /src/inline.h:7 in bump

"
    );
}

#[test]
fn places() {
    let at = |address, place| location(&finding(address, place));
    assert_eq!(
        at(0x4000, Place::Other),
        "  Location is global 'counters' of size 40 at 0x4000 (/bin/app+0x3000), declared at /src/app.c:3\n"
    );
    assert_eq!(
        at(0x5000, Place::Other),
        "  Location is static data at 0x5000 (/bin/app+0x4000)\n"
    );
    assert_eq!(
        at(0x10_0010, Place::Other),
        "  Location is memory mapped at 0x100000-0x101000 (anonymous), offset 16\n"
    );
    assert_eq!(
        at(0x77, Place::Other),
        "  Location is memory at 0x77 that racert knows nothing about\n"
    );
    assert_eq!(
        at(0x77, Place::ThreadStack { thread: 0 }),
        "  Location is stack of main thread\n"
    );
    assert_eq!(
        at(0x7ff0_0000, Place::Other),
        "  Location is stack of main thread\n"
    );
    let local = |address, thread_pointer| {
        at(
            address,
            Place::ThreadLocal {
                thread: 2,
                thread_pointer,
            },
        )
    };
    assert_eq!(
        local(0x77, None),
        "  Location is thread-local storage of thread T2\n"
    );
    assert_eq!(
        local(0x77, Some(0x1000)),
        "  Location is thread-local storage of thread T2\n"
    );
    assert_eq!(
        local(0xff8, Some(0x1000)),
        "  Location is thread-local 'cache' of size 8 at 0xff8 of thread T2\n"
    );
    let heap = Place::Heap {
        start: 0x7000,
        size: 4,
        thread: 2,
        stack: Stack::default(),
        freed: false,
    };
    assert_eq!(
        at(0x7000, heap),
        "  Location is heap block of size 4 at 0x7000, allocated by thread T2:\n    (its stack is not known)\n"
    );
}

#[test]
fn a_range_is_about_the_bytes_that_both_touch() {
    let mut finding = finding(0x3ff0, Place::Other);
    finding.accesses[0].size = 100;
    finding.accesses[1].address = 0x4008;
    let text = location(&finding);
    assert!(
        text.contains("'counters' of size 40 at 0x4000, offset 8 "),
        "{text}"
    );
}

#[test]
fn frames_with_less_and_less_known() {
    let mut finding = finding(0x77, Place::ThreadStack { thread: 0 });
    finding.accesses[0].stack = stack(&[0x1600, 0x8100, 0x9100, 0xdead_0001]);
    finding.accesses[1].stack = Stack::default();
    finding.threads.clear();
    assert_eq!(
        render(&finding),
        "\
WARNING: racert: data race (pid=N)
  Thread T2 writes 4 bytes of the stack of the main thread in no_lines, and the
  main thread reads the same bytes. No lock, atomic, join or other
  synchronisation of this run puts one before the other, so they can happen at
  the same time: a proven race.

  Write of size 4 at 0x77 by thread T2:
    #0 no_lines (/bin/app+0x5ff)
    #1 /bin/app+0x70ff
    #2 /lib/lib.so+0xff (build id c0ffee)
    #3 0xdead0000
  Previous read of size 4 at 0x77 by main thread:
    (its stack is not known)
  Location is stack of main thread
  Suggestion: wait for thread T2 before the variable on the stack of the main
  thread is used again or goes out of scope, or guard both accesses with one
  lock.
SUMMARY: racert: data race /bin/app+0x5ff in no_lines

"
    );
    finding.accesses[0].stack = stack(&[0xdead_0001]);
    assert!(render(&finding).ends_with("\nSUMMARY: racert: data race 0xdead0000\n\n"));
}

#[test]
fn runtime_and_start_up_frames_are_hidden_but_never_all_of_them() {
    let stack_of = |addresses: &[u64]| {
        let mut finding = finding(0x4000, Place::Other);
        finding.accesses[0].stack = stack(addresses);
        let text = render(&finding);
        let from = text.find(":\n").unwrap() + 2;
        let to = text.find("  Previous").unwrap();
        text[from..to].to_string()
    };
    assert_eq!(
        stack_of(&[0x1500, 0x1300, 0x1500, 0x1400]),
        "    #0 worker /src/app.c:13:9 (/bin/app+0x2ff)\n"
    );
    assert_eq!(
        stack_of(&[0x1300, 0xb100]),
        "    #0 worker /src/app.c:13:9 (/bin/app+0x2ff)\n"
    );
    assert_eq!(
        stack_of(&[0x1500]),
        "    #0 __racert_memcpy (/bin/app+0x4ff)\n"
    );
    assert_eq!(
        stack_of(&[0x1400]),
        "    #0 start_thread (/bin/app+0x3ff)\n"
    );
}

#[test]
fn what_is_suggested() {
    let suggested = |finding: &Finding| {
        let resolved = Resolved::new(finding, &mut Table);
        Details::new(finding, &resolved, &[], &mut Table, &mut Sources::new())
            .suggestion
            .unwrap()
    };
    let mut finding = finding(
        0xff8,
        Place::ThreadLocal {
            thread: 2,
            thread_pointer: Some(0x1000),
        },
    );
    assert_eq!(
        suggested(&finding),
        "guard both accesses to 'cache' with the same lock"
    );
    for access in &mut finding.accesses {
        access.size = 8;
    }
    assert_eq!(
        suggested(&finding),
        "guard both accesses to 'cache' with the same lock, or make it _Atomic"
    );
    finding.accesses[0].operation = Operation::AtomicWrite;
    assert_eq!(
        suggested(&finding),
        "make the plain read at app.c:30 atomic as well: the other access already is"
    );
}

#[test]
fn the_source_stands_below_its_frame() {
    struct Here;
    impl Resolve for Here {
        fn code(&mut self, address: u64) -> Code {
            let own = concat!(env!("CARGO_MANIFEST_DIR"), "/src/report/tests/mod.rs");
            let library = frame("push", "/usr/include/c++/14/vector", 1, 1);
            let frames = vec![library, frame("own", own, 1, 5)];
            Code {
                frames,
                module: module(address),
            }
        }
        fn data(&mut self, _: Bytes, _: &[u64]) -> Data {
            Data::Unknown
        }
        fn local(&mut self, _: Bytes, _: u64, _: u64, _: Option<u64>) -> Option<Variable> {
            None
        }

        fn allocated(&mut self, _: u64, _: &Hint, _: Block, _: Bytes) -> Option<symbol::Part> {
            None
        }
        fn thread_local(&mut self, _: Bytes, _: u64, _: &[u64]) -> Option<Variable> {
            None
        }
    }
    let finding = finding(0x77, Place::Other);
    let resolved = Resolved::new(&finding, &mut Here);
    let details = Details::new(&finding, &resolved, &[], &mut Here, &mut Sources::new());
    let colors = Colors::new(false);
    let text = text::render(&finding, &resolved, &details, &Options::default(), &colors);
    let excerpt = " (/bin/app+0xff)
       >     1 | //! Golden texts, from findings made by hand and a table of names.
               |     ^
             2 |
    #2 push ";
    assert!(text.contains(excerpt), "{text}");
    assert!(details.message.contains("in own (mod.rs:1)"));
}

#[test]
fn options_shape_the_text() {
    let finding = finding(0x4000, Place::Other);
    let options = Options {
        strip_path_prefix: "/src/".into(),
        print_summary: false,
        ..Options::default()
    };
    let text = render_with(&finding, &options, false);
    assert!(text.contains("#1 worker app.c:12:5 (/bin/app+0xff)\n"));
    assert!(text.contains(", declared at app.c:3\n"));
    assert!(!text.contains("SUMMARY"));
    let colored = render_with(&finding, &Options::default(), true);
    assert!(colored.starts_with("\x1b[1;31mWARNING: racert: data race (pid=N)\x1b[0m\n"));
    let without = ["\x1b[1;31m", "\x1b[1;34m", "\x1b[1;32m", "\x1b[1;36m"];
    let mut plain = colored.replace("\x1b[0m", "").replace("\x1b[1m", "");
    for code in without {
        assert!(plain.contains(code));
        plain = plain.replace(code, "");
    }
    assert_eq!(plain, render(&finding));
}

#[test]
fn a_thread_name_cannot_write_to_the_terminal() {
    let mut finding = finding(0x4000, Place::Other);
    finding.threads[1].name = Some("\x1b[2Jx\n".into());
    assert!(render(&finding).contains("thread T2 (name \"?[2Jx?\"):"));
}

#[test]
fn the_same_lines_are_one_race() {
    let mut seen = Seen::new();
    let mut first_time = |finding: &Finding| {
        seen.first_time_at(finding)
            && seen.first_time_in_source(finding.kind, &Resolved::new(finding, &mut Table))
    };
    let original = finding(0x4000, Place::Other);
    assert!(first_time(&original));
    assert!(!first_time(&original));

    let mut swapped = original.clone();
    swapped.accesses.reverse();
    assert!(!first_time(&swapped));

    // The same line inlined elsewhere, with other callers.
    let mut elsewhere = original.clone();
    elsewhere.accesses[0].stack = stack(&[0x1700]);
    assert!(!first_time(&elsewhere));

    let mut other_line = original.clone();
    other_line.accesses[0].stack = stack(&[0x1300]);
    assert!(first_time(&other_line));

    // Another variable on the same line, reached from another inlining.
    let mut other_memory = elsewhere.clone();
    for access in &mut other_memory.accesses {
        access.address = 0x10_0000;
    }
    other_memory.accesses[1].stack = stack(&[0x1800]);
    assert!(first_time(&other_memory));

    let mut other_kind = original.clone();
    other_kind.kind = Kind::UseAfterFreeRace;
    assert!(first_time(&other_kind));
}

#[test]
fn a_function_that_is_called_for_another_variable() {
    let mut seen = Seen::new();
    let mut first_time = |finding: &Finding| {
        seen.first_time_at(finding)
            && seen.first_time_in_source(finding.kind, &Resolved::new(finding, &mut Table))
    };
    let original = finding(0x4000, Place::Other);
    assert!(first_time(&original));
    let mut for_another = original.clone();
    for access in &mut for_another.accesses {
        access.address = 0x10_0000;
        access.stack.addresses.push(0x1900);
    }
    assert!(first_time(&for_another));
}

#[test]
fn of_many_ways_to_one_place_a_few_are_looked_at() {
    let mut seen = Seen::new();
    let looked_at = (0..1000).filter(|way| {
        let mut finding = finding(0x4000, Place::Other);
        finding.accesses[0].stack.addresses.push(0x9000 + way);
        seen.first_time_at(&finding)
    });
    assert_eq!(looked_at.count(), 32);
}

#[test]
fn locals_without_names_are_told_apart_by_where_they_are() {
    let mut seen = Seen::new();
    let mut first_time = |address: u64| {
        let finding = finding(address, Place::ThreadStack { thread: 0 });
        seen.first_time_in_source(finding.kind, &Resolved::new(&finding, &mut Table))
    };
    assert!(first_time(0x7000_0000));
    assert!(!first_time(0x7000_0000));
    assert!(first_time(0x7000_0010));
}
