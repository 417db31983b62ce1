//! Functions known by their names: waits on condition variables, locks,
//! clocks, and calls that spinning loops make to pass the time.

/// What the value that a wait returns says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Answer {
    /// 0: woken, anything else: timed out or failed.
    ZeroIsWoken,
    /// 0: timed out, anything else: woken.
    ZeroIsTimeout,
    /// Nothing, or nothing known.
    Unknown,
}

/// How a wait's arguments name the mutex.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum MutexArgument {
    /// The argument is its address.
    Direct(u32),
    /// The argument points to a `std::unique_lock`, which begins with it.
    Held(u32),
}

/// A function that waits on a condition variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct WaitFunction {
    /// Which argument is the condition variable.
    pub(crate) condvar: u32,
    /// Which argument leads to the mutex.
    pub(crate) mutex: MutexArgument,
    /// What it returns.
    pub(crate) answer: Answer,
}

/// Annotates a function that waits: `racert_wait`, or
/// `racert_wait(CONDVAR,MUTEX)` with the positions of the two arguments.
const ANNOTATION: &str = "racert_wait";

impl WaitFunction {
    const fn c(answer: Answer) -> WaitFunction {
        WaitFunction {
            condvar: 0,
            mutex: MutexArgument::Direct(1),
            answer,
        }
    }

    /// The wait that a name stands for.
    pub(crate) fn by_name(name: &str) -> Option<WaitFunction> {
        match name {
            "pthread_cond_wait"
            | "pthread_cond_timedwait"
            | "pthread_cond_clockwait"
            | "cnd_wait"
            | "cnd_timedwait" => Some(WaitFunction::c(Answer::ZeroIsWoken)),
            "g_cond_wait" => Some(WaitFunction::c(Answer::Unknown)),
            "g_cond_wait_until" | "g_cond_timed_wait" => {
                Some(WaitFunction::c(Answer::ZeroIsTimeout))
            }
            _ if name.starts_with("_ZN14QWaitCondition4waitEP") => {
                Some(WaitFunction::c(Answer::ZeroIsTimeout))
            }
            _ => standard(name),
        }
    }

    /// The wait that an annotation declares.
    pub(crate) fn by_annotation(text: &str) -> Option<WaitFunction> {
        let rest = text.strip_prefix(ANNOTATION)?;
        let mut wait = WaitFunction::c(Answer::ZeroIsWoken);
        if !rest.is_empty() {
            let inner = rest.strip_prefix('(')?.strip_suffix(')')?;
            let (condvar, mutex) = inner.split_once(',')?;
            wait.condvar = condvar.trim().parse().ok()?;
            wait.mutex = MutexArgument::Direct(mutex.trim().parse().ok()?);
        }
        Some(wait)
    }
}

/// The members of `std::condition_variable` and `std::condition_variable_any`
/// that wait once. Those with a predicate contain a loop of their own and are
/// recognised by it.
fn standard(name: &str) -> Option<WaitFunction> {
    if !name.starts_with("_ZNSt") {
        return None;
    }
    let (any, member) = match name.split_once("22condition_variable_any") {
        Some((_, member)) => (true, member),
        None => (false, name.split_once("18condition_variable")?.1),
    };
    // Exported members of libc++ carry a tag between name and parameters.
    let once = if member.starts_with("4wait") {
        if any {
            member.ends_with("RT_")
        } else {
            !member.starts_with("4waitI")
        }
    } else {
        [
            "8wait_for",
            "10wait_until",
            "17__wait_until_impl",
            "15__do_timed_wait",
        ]
        .iter()
        .any(|waits| member.starts_with(waits))
            && (member.contains("9cv_status") || member.starts_with("15__do_timed_wait"))
    };
    let lock_is_held_by_object = !any || member.contains("11unique_lock");
    once.then_some(WaitFunction {
        condvar: 0,
        mutex: if lock_is_held_by_object {
            MutexArgument::Held(1)
        } else {
            MutexArgument::Direct(1)
        },
        answer: if member.starts_with("4wait") {
            Answer::Unknown
        } else {
            Answer::ZeroIsWoken
        },
    })
}

/// Whether a function waits until it is woken, without a time limit.
pub(crate) fn is_untimed_wait(name: &str) -> bool {
    matches!(name, "pthread_cond_wait" | "cnd_wait" | "g_cond_wait")
        || standard(name).is_some_and(|wait| wait.answer == Answer::Unknown)
}

/// Whether a function gives a mutex back, or destroys an object and perhaps
/// does so.
pub(crate) fn gives_back(name: &str) -> bool {
    matches!(
        name,
        "pthread_mutex_unlock" | "mtx_unlock" | "g_mutex_unlock" | "_ZN6QMutex6unlockEv"
    ) || name.starts_with("_ZN")
        && (name.ends_with("6unlockEv") || name.ends_with("D1Ev") || name.ends_with("D2Ev"))
}

/// Whether a function locks a mutex: what it waits for then, it waits for
/// itself and not on behalf of its caller.
pub(crate) fn is_lock(name: &str) -> bool {
    matches!(
        name,
        "pthread_mutex_lock"
            | "pthread_mutex_trylock"
            | "pthread_mutex_timedlock"
            | "pthread_mutex_clocklock"
            | "mtx_lock"
            | "mtx_trylock"
            | "mtx_timedlock"
            | "g_mutex_lock"
            | "_ZN6QMutex4lockEv"
            | "_ZNSt5mutex4lockEv"
            | "_ZNSt3__15mutex4lockEv"
    ) || is_guard_constructor(name)
        && !name.contains("adopt_lock_t")
        && !name.contains("defer_lock_t")
}

/// Whether a function constructs one of the C++ library's lock guards, of
/// whatever kind, from a mutex.
pub(crate) fn is_guard_constructor(name: &str) -> bool {
    ["11unique_lockI", "10lock_guardI", "11scoped_lockI"]
        .iter()
        .filter_map(|class| name.strip_prefix("_ZNSt")?.split_once(class))
        .any(|(_, rest)| rest.contains("C1ER") || rest.contains("C2ER"))
}

/// Whether a function only says what time it is.
pub(crate) fn is_clock(name: &str) -> bool {
    matches!(
        name,
        "time"
            | "clock"
            | "clock_gettime"
            | "gettimeofday"
            | "timespec_get"
            | "difftime"
            | "g_get_monotonic_time"
            | "g_get_real_time"
            | "_ZNSt6chrono3_V212steady_clock3nowEv"
            | "_ZNSt6chrono3_V212system_clock3nowEv"
            | "_ZNSt3__16chrono12steady_clock3nowEv"
            | "_ZNSt3__16chrono12system_clock3nowEv"
    )
}

/// Whether a function returns the address of `errno`, which is no condition.
pub(crate) fn is_errno(name: &str) -> bool {
    name == "__errno_location"
}

/// Whether a call cannot write a flag somebody waits for: it passes the time,
/// asks for it, or prints.
pub(crate) fn passes_time(name: &str) -> bool {
    is_clock(name)
        || is_errno(name)
        || matches!(
            name,
            "sched_yield"
                | "pthread_yield"
                | "thrd_yield"
                | "thrd_sleep"
                | "sleep"
                | "usleep"
                | "nanosleep"
                | "clock_nanosleep"
                | "poll"
                | "select"
                | "g_usleep"
                | "g_thread_yield"
                | "getpid"
                | "gettid"
                | "pthread_self"
                | "puts"
                | "putchar"
                | "printf"
                | "fprintf"
                | "fputs"
                | "fflush"
                | "write"
                | "_ZN7QThread18yieldCurrentThreadEv"
                | "_ZN7QThread5sleepEm"
                | "_ZN7QThread6msleepEm"
                | "_ZN7QThread6usleepEm"
                | "llvm.x86.sse2.pause"
                | "llvm.x86.rdtsc"
                | "llvm.readcyclecounter"
                | "llvm.donothing"
        )
}

/// Whether inline assembly does nothing but pass the time or keep the
/// compiler from moving accesses.
pub(crate) fn is_idle_assembly(template: &str) -> bool {
    template
        .split([';', '\n'])
        .map(|line| line.trim().trim_matches('\t'))
        .all(|line| {
            matches!(
                line,
                "" | "pause" | "nop" | "rep" | "rep nop" | "yield" | "mfence" | "lfence"
            )
        })
}

/// A function of the C++ library that is nothing but an atomic load: the
/// memory order it has if none is passed.
pub(crate) fn is_atomic_load(name: &str) -> Option<AtomicLoad> {
    let is_member = [
        "_ZNKSt6atomicI",
        "_ZNKSt13__atomic_baseI",
        "_ZNKSt3__113__atomic_baseI",
    ]
    .iter()
    .any(|class| name.starts_with(class));
    if !is_member {
        return None;
    }
    if name.contains("E4load") && name.contains("12memory_order") {
        Some(AtomicLoad::OrderIsArgument)
    } else if name.contains("Ecv") && name.ends_with("Ev") {
        Some(AtomicLoad::SequentiallyConsistent)
    } else {
        None
    }
}

/// Where the memory order of an atomic load comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AtomicLoad {
    /// From the second argument.
    OrderIsArgument,
    /// It is the strongest.
    SequentiallyConsistent,
}
