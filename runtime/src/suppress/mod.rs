//! Suppressions: findings the user does not want to hear of.
//!
//! They come from the file that `suppressions=` names and from the program's
//! `__tsan_default_suppressions`. A line is a kind, a colon and a pattern;
//! [`parse`] reads ThreadSanitizer's files as they are, plus patterns over
//! several frames, [`rule`] says what a pattern matches. They are asked only
//! when a finding is about to be printed and its stacks have names.

mod glob;
mod parse;
mod rule;

pub use rule::{Class, Frame, Stacks};

use crate::finding::Stack;
use crate::options::{Options, USAGE_EXIT};
use crate::os::{self, File};
use crate::spin::SpinLock;
use crate::tsan::hook;
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};
use rule::Rule;

/// A rule, where it stands, and how many findings it held back.
struct Entry {
    rule: Rule,
    /// The line as the user wrote it.
    text: String,
    /// `FILE:LINE`
    place: String,
    hits: AtomicUsize,
}

static ENTRIES: AtomicPtr<Vec<Entry>> = AtomicPtr::new(null_mut());
/// Findings held back before, by their code addresses: the entry's index.
static KNOWN: SpinLock<BTreeMap<u64, usize>> = SpinLock::new(BTreeMap::new());

fn entries() -> &'static [Entry] {
    let entries = ENTRIES.load(Ordering::Acquire);
    if entries.is_null() {
        return &[];
    }
    // SAFETY: set once, from a leaked box.
    unsafe { &*entries }
}

/// Reads the suppressions; to be called once, at start. A mistake ends the
/// process with one line that says where it is.
pub fn init(options: &Options) {
    let mut all = Vec::new();
    if let Some(text) = hook::default_suppressions() {
        let text = String::from_utf8_lossy(text.to_bytes());
        load(&mut all, &text, "__tsan_default_suppressions");
    }
    let path = &options.suppressions;
    if !path.is_empty() {
        match File::open(path.as_bytes()).and_then(|file| file.read_to_end()) {
            Ok(text) => load(&mut all, &String::from_utf8_lossy(&text), path),
            Err(os::Errno(errno)) => {
                stop(&format!("suppressions: cannot read {path} (errno {errno})"))
            }
        }
    }
    if !all.is_empty() {
        ENTRIES.store(Box::into_raw(Box::new(all)), Ordering::Release);
    }
}

fn load(all: &mut Vec<Entry>, text: &str, file: &str) {
    match parse::file(text) {
        Ok(lines) => all.extend(lines.into_iter().map(|line| Entry {
            rule: line.rule,
            text: line.text,
            place: format!("{file}:{}", line.number),
            hits: AtomicUsize::new(0),
        })),
        Err(parse::Mistake { line, column, why }) => {
            stop(&format!("suppressions: {file}:{line}:{column}: {why}"))
        }
    }
}

fn stop(why: &str) -> ! {
    os::write_all(os::STDERR, format!("racert: {why}\n").as_bytes());
    os::exit_group(USAGE_EXIT)
}

/// Are there any?
pub fn any() -> bool {
    !ENTRIES.load(Ordering::Relaxed).is_null()
}

/// Is a finding with these very stacks held back? Then it counts once more.
pub fn is_known(fingerprint: u64) -> bool {
    let index = KNOWN.lock().get(&fingerprint).copied();
    index.is_some_and(|index| {
        entries()[index].hits.fetch_add(1, Ordering::Relaxed);
        true
    })
}

/// Is the finding of this class, whose stacks have these names, to be held
/// back?
pub fn matches(fingerprint: u64, class: Class, stacks: &Stacks<'_>) -> bool {
    let index = entries()
        .iter()
        .position(|entry| entry.rule.matches(class, stacks));
    index.is_some_and(|index| {
        entries()[index].hits.fetch_add(1, Ordering::Relaxed);
        KNOWN.lock().insert(fingerprint, index);
        true
    })
}

/// A number for a finding's stacks (FNV-1a): a clash of two costs one report in
/// 2^64.
pub fn fingerprint<'a>(stacks: impl Iterator<Item = &'a Stack>) -> u64 {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    let mut add = |value: u64| {
        for byte in value.to_le_bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    };
    for stack in stacks {
        add(stack.addresses.len() as u64);
        stack.addresses.iter().copied().for_each(&mut add);
    }
    hash
}

/// What to say at exit, if anything.
pub fn summary(options: &Options) -> String {
    let mut out = String::new();
    let hits = |entry: &Entry| entry.hits.load(Ordering::Relaxed);
    let used = entries().iter().filter(|e| hits(e) > 0).count();
    if options.print_suppressions && used > 0 {
        let s = if used == 1 { "" } else { "s" };
        out.push_str(&format!("racert: {used} suppression{s} matched:\n"));
        for entry in entries().iter().filter(|e| hits(e) > 0) {
            let (count, text, place) = (hits(entry), &entry.text, &entry.place);
            out.push_str(&format!("{count:7} {text} ({place})\n"));
        }
    }
    if options.print_unused {
        for entry in entries().iter().filter(|e| hits(e) == 0) {
            let (text, place) = (&entry.text, &entry.place);
            out.push_str(&format!("racert: unused suppression {text} ({place})\n"));
        }
    }
    out
}

/// Keeps everybody else out until the process has forked.
pub(crate) fn before_fork() {
    KNOWN.hold();
}

/// Opens the lock after a fork, in parent and child.
///
/// # Safety
/// As [`SpinLock::force_unlock`].
pub(crate) unsafe fn after_fork() {
    // SAFETY: passed on.
    unsafe { KNOWN.force_unlock() }
}
