//! The kinds of findings as rules: what each is, and what helps.

use serde_json::{Value, json};

use super::merge::Group;
use super::model::{Certainty, Finding};
use super::text::capitalised;

/// Kind, how sure a finding is, what it is, what helps.
type Rule = (&'static str, Certainty, &'static str, &'static str);

const RULES: [Rule; 37] = {
    use Certainty::{Advice, Possible, Proven};
    [
        (
            "data-race",
            Proven,
            "Two threads access the same memory, at least one writes, and nothing orders the \
             accesses.",
            "Guard both accesses with the same lock, make both atomic, or wait for one thread \
             before the other goes on.",
        ),
        (
            "data-race-with-free",
            Proven,
            "A thread accesses heap memory while another frees it, and nothing orders the two.",
            "Free the memory only when every other thread is done with it: join them first, or \
             share its ownership.",
        ),
        (
            "possible-data-race",
            Possible,
            "Two threads access the same memory without a lock in common. Only the order in which \
             they took other locks kept the accesses apart in this run.",
            "Guard both accesses with the same lock, or make both atomic.",
        ),
        (
            "unprotected-data",
            Possible,
            "Several threads access the same memory, at least one writes, and no lock is held at \
             all accesses.",
            "Hold one and the same lock at every access.",
        ),
        (
            "heap-use-after-free",
            Proven,
            "Heap memory is accessed after it was freed.",
            "Free the memory only after its last use, or share its ownership.",
        ),
        (
            "vptr-race",
            Proven,
            "A virtual function is called on an object while its constructor or destructor changes \
             which class it is of.",
            "Let no other thread use the object before its constructor has ended and after its \
             destructor has begun.",
        ),
        (
            "ad-hoc-synchronisation",
            Proven,
            "A loop waits for a plain variable that another thread sets.",
            "Make the variable atomic, with release order where it is set and acquire order in the \
             loop, or wait on a condition variable.",
        ),
        (
            "relaxed-synchronisation",
            Proven,
            "A loop waits for an atomic variable that is accessed with relaxed order, which orders \
             nothing else.",
            "Use release order where the variable is set and acquire order in the loop.",
        ),
        (
            "descriptor-race",
            Proven,
            "A thread uses a file descriptor while another opens or closes it.",
            "Open the descriptor before other threads learn of it, and close it when they are done \
             with it.",
        ),
        (
            "lock-order-inversion",
            Possible,
            "Locks are taken in contradicting orders, so that threads can wait for each other.",
            "Take the locks in the same order everywhere, or all at once as std::scoped_lock does.",
        ),
        (
            "deadlock",
            Proven,
            "Threads wait for each other, and none of them can go on.",
            "Take the locks in the same order everywhere, and wait for nothing while holding what \
             others need.",
        ),
        (
            "unlock-of-unlocked",
            Proven,
            "A lock is released that nobody holds.",
            "Release a lock exactly once for each time it was taken.",
        ),
        (
            "unlock-by-other-thread",
            Proven,
            "A lock is released by a thread that does not hold it.",
            "Release a lock in the thread that took it, or use a semaphore.",
        ),
        (
            "double-lock",
            Proven,
            "A thread takes a lock that it already holds.",
            "Take it once, or make it recursive.",
        ),
        (
            "read-lock-upgrade",
            Proven,
            "A thread that holds a lock for reading takes it for writing, too, and waits for itself.",
            "Release the lock before taking it for writing, and look again at what was read.",
        ),
        (
            "unlock-in-wrong-mode",
            Proven,
            "A lock is released in another mode than it was taken in.",
            "Release for reading what was taken for reading, and for writing what was taken for \
             writing.",
        ),
        (
            "destroy-of-locked",
            Proven,
            "A lock is destroyed while it is held.",
            "Destroy a lock only when nobody uses it any more.",
        ),
        (
            "use-of-destroyed-lock",
            Proven,
            "A lock is used after it was destroyed.",
            "Destroy a lock only when nobody uses it any more.",
        ),
        (
            "free-of-locked",
            Proven,
            "The memory of a lock is freed while the lock is held.",
            "Release the lock before its memory goes.",
        ),
        (
            "use-of-uninitialised",
            Proven,
            "A lock or condition variable is used that was not initialised.",
            "Initialise it before any thread uses it.",
        ),
        (
            "wait-without-mutex",
            Proven,
            "A thread waits on a condition variable without holding the mutex it passes.",
            "Take the mutex before the wait.",
        ),
        (
            "wait-with-two-mutexes",
            Proven,
            "Threads wait on one condition variable with different mutexes.",
            "Use one mutex with a condition variable at a time.",
        ),
        (
            "thread-end-with-lock",
            Proven,
            "A thread ends while it holds a lock.",
            "Release the lock on every way out of the thread.",
        ),
        (
            "lock-held-in-wrong-context",
            Proven,
            "A lock is held where the program says that none may be.",
            "Release the lock before going there.",
        ),
        (
            "destroy-of-condition-variable-in-use",
            Proven,
            "A condition variable is destroyed while threads wait on it.",
            "Destroy it only when nobody waits on it any more.",
        ),
        (
            "destroy-of-barrier-in-use",
            Proven,
            "A barrier is destroyed while threads wait at it.",
            "Destroy it only when all threads have passed it.",
        ),
        (
            "initialisation-of-barrier-in-use",
            Proven,
            "A barrier is initialised again while threads wait at it.",
            "Initialise it once, before any thread uses it.",
        ),
        (
            "invalid-use",
            Proven,
            "A function of the thread library refuses what it was called with.",
            "Look at what the function returned, and at the object it was given.",
        ),
        (
            "lost-wakeup",
            Proven,
            "Threads wait on a condition variable, and nobody is left to signal it.",
            "Look at the condition under the mutex before waiting, and change it under the mutex.",
        ),
        (
            "wait-outside-loop",
            Advice,
            "A wait on a condition variable is not inside a loop that looks at the condition.",
            "Wait in a loop: a wait may end without a signal.",
        ),
        (
            "signal-without-mutex",
            Advice,
            "A condition variable is signalled without its mutex.",
            "Change the condition under the mutex before the signal.",
        ),
        (
            "condition-without-mutex",
            Advice,
            "The condition of a wait is changed without the mutex of the wait.",
            "Change it under the mutex, or a waiting thread may miss it.",
        ),
        (
            "thread-leak",
            Proven,
            "A thread has ended and was neither joined nor detached.",
            "Join or detach every thread.",
        ),
        (
            "signal-unsafe-call",
            Proven,
            "A signal handler calls a function that may have been interrupted half-way.",
            "Do no more in the handler than set a flag or write to a pipe.",
        ),
        (
            "errno-changed-by-signal-handler",
            Proven,
            "A signal handler changes errno under the code that it interrupts.",
            "Save errno at the begin of the handler and restore it at its end.",
        ),
        (
            "unbalanced-annotation",
            Proven,
            "An annotation that ends something has no one that began it, or the other way round.",
            "Write annotations in pairs, on every way through the code.",
        ),
        (
            "expected-race-missing",
            Proven,
            "A race that an annotation says to expect was not found.",
            "Take the annotation away if the race is gone.",
        ),
    ]
};

/// The rules of the kinds that `groups` have, the most usual first, in SARIF.
pub(super) fn of(groups: &[Group]) -> Vec<Value> {
    let has = |kind: &str| groups.iter().any(|group| group.finding.kind == kind);
    let known = RULES.iter().filter(|rule| has(rule.0));
    let known = known.map(|&(kind, certainty, what, help)| rule(kind, certainty, what, help));
    known.chain(unknown(groups)).collect()
}

/// Those of kinds that this command does not know yet.
fn unknown(groups: &[Group]) -> Vec<Value> {
    let mut kinds: Vec<&str> = RULES.iter().map(|rule| rule.0).collect();
    let mut rules = Vec::new();
    for Group { finding, .. } in groups {
        if !kinds.contains(&&*finding.kind) {
            kinds.push(&finding.kind);
            rules.push(rule_of(finding));
        }
    }
    rules
}

fn rule_of(finding: &Finding) -> Value {
    let title = capitalised(&finding.title);
    let help = finding.suggestion.as_deref().map(capitalised);
    let help = help.unwrap_or_else(|| title.clone());
    rule(&finding.kind, finding.certainty, &title, &help)
}

fn rule(kind: &str, certainty: Certainty, what: &str, help: &str) -> Value {
    let precision = match certainty {
        Certainty::Proven => "very-high",
        Certainty::Possible | Certainty::Advice => "high",
    };
    json!({
        "id": kind,
        "name": kind.split('-').map(capitalised).collect::<String>(),
        "shortDescription": { "text": what },
        "fullDescription": { "text": what },
        "help": { "text": help },
        "defaultConfiguration": { "level": level(certainty) },
        "properties": { "tags": ["concurrency", "correctness"], "precision": precision },
    })
}

/// How a result is shown.
pub(super) fn level(certainty: Certainty) -> &'static str {
    match certainty {
        Certainty::Proven => "error",
        Certainty::Possible => "warning",
        Certainty::Advice => "note",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_documented_kind_has_a_rule() {
        let page = include_str!("../../../../docs/report-schema.md");
        let row = page.lines().find(|line| line.starts_with("| `kind` |"));
        let row = row.expect("kinds are documented");
        for (kind, ..) in RULES {
            assert!(row.contains(&format!("`{kind}`")), "{kind}");
        }
        let words = row.split('`').skip(1).step_by(2);
        let kinds = words.filter(|word| word.contains('-') && !word.contains('='));
        for kind in kinds.filter(|kind| !kind.starts_with("msm-")) {
            assert!(RULES.iter().any(|rule| rule.0 == kind), "{kind}");
        }
    }
}
