//! Starting the runtime.
//!
//! Whoever needs it first starts it: a module's constructor, a thread's first
//! instrumented function, an interceptor.

use crate::os::{self, Errno};
use crate::{
    engine, intercept, internal_error, live, lock, lockset, options, rewritten, shadow, stack,
    suppress, symbol, sync, thread, tls, tsan,
};
use alloc::format;
use core::sync::atomic::{AtomicU32, Ordering};

const NOT_YET: u32 = 0;
const STARTING: u32 = 1;
const DONE: u32 = 2;
const OFF: u32 = 3;

static STATE: AtomicU32 = AtomicU32::new(NOT_YET);

/// Exit code of a program in which the runtime could not start.
const CANNOT_START: i32 = 71;

/// Is the runtime up?
#[inline]
pub fn initialised() -> bool {
    STATE.load(Ordering::Acquire) == DONE
}

/// The runtime does nothing any more: as if it were not up, for ever.
pub(crate) fn switched_off() {
    STATE.store(OFF, Ordering::Release);
}

/// Starts the runtime if nobody has yet.
pub fn ensure() {
    if initialised() {
        return;
    }
    let claim = STATE.compare_exchange(NOT_YET, STARTING, Ordering::AcqRel, Ordering::Acquire);
    // The starting thread itself comes back through an interceptor while
    // STARTING and must not wait; others cannot exist yet.
    if claim.is_ok() {
        start();
        tsan::hook::on_initialize();
    }
}

/// A module built for `version` of the ABI has been loaded.
pub(crate) fn module(version: u32) {
    if version != racert_abi::ABI_VERSION {
        fail(&format!(
            "a module was instrumented for version {version} of racert's interface, this runtime \
             has version {}; rebuild the module with the matching racert",
            racert_abi::ABI_VERSION
        ));
    }
    ensure();
}

fn fail(why: &str) -> ! {
    os::write_all(os::STDERR, format!("racert: {why}\n").as_bytes());
    os::exit_group(CANNOT_START)
}

fn start() {
    let environment = options::Environment::of_process();
    if tls::section(|| prepare(&environment)).is_some() {
        tls::section(|| begin(&environment));
    }
}

/// As far as the options.
fn prepare(environment: &options::Environment) {
    if let Err(Errno(errno)) = reserve_all() {
        if errno == libc::EEXIST {
            os::restart_in_standard_layout();
        }
        no_room(errno);
    }
    // First of all the thread: the program's own functions may be asked for
    // options, and they may be instrumented.
    thread::attach();
    internal_error::choose(options::init(environment).on_internal_error);
}

/// The rest.
fn begin(environment: &options::Environment) {
    let options = options::get();
    live::start(environment, options);
    thread::options_known();
    suppress::init(options);
    symbol::fetched::look_where(|name| environment.get(name));
    STATE.store(DONE, Ordering::Release);
    rewritten::start(environment);
    #[cfg(not(test))]
    intercept::redirect_libraries();
}

/// Starts the runtime in programs where no module does: when it is preloaded.
#[cfg(not(test))]
#[used]
#[unsafe(link_section = ".init_array")]
static AT_LOAD: extern "C" fn() = {
    extern "C" fn at_load() {
        ensure();
    }
    at_load
};

fn reserve_all() -> Result<(), Errno> {
    os::lift_reservation_limits();
    os::reserve_area()?;
    shadow::reserve()?;
    shadow::cell::reserve()?;
    shadow::beside::reserve()?;
    shadow::planes::reserve()?;
    stack::reserve()?;
    sync::table::reserve()?;
    lock::reserve()?;
    lockset::reserve()?;
    engine::machine::reserve()?;
    intercept::start()
}

fn no_room(errno: i32) -> ! {
    let tib = shadow::reserved_bytes() >> 40;
    let hint = match (errno, os::reservation_limit()) {
        (libc::ENOMEM, Some((name, limit))) => format!(
            "`{name}` allows {} KiB; run with `{name} unlimited`",
            limit >> 10
        ),
        (libc::EEXIST, _) => "something else is mapped there (with vm.legacy_va_layout=1 all \
                              libraries are; set it to 0)"
            .into(),
        (libc::ENOMEM, _) if os::reservations_count_as_use() => {
            "vm.overcommit_memory=2 counts reservations as use; set it to 0 or 1 \
             (sysctl vm.overcommit_memory=0)"
                .into()
        }
        (libc::ENOMEM, _) => "the kernel or a sandbox around the program refuses that much".into(),
        (libc::EPERM | libc::EACCES, _) => "a sandbox forbids it; run the program outside".into(),
        _ => format!("the kernel says error {errno}"),
    };
    fail(&format!(
        "cannot reserve {tib} TiB of address space for shadow memory: {hint}"
    ))
}

/// Starts shadow memory and the tables, without options.
#[cfg(test)]
pub fn for_tests() {
    use std::sync::Once;
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        os::reserve_area().unwrap();
        shadow::reserve().unwrap();
        shadow::cell::reserve().unwrap();
        shadow::beside::reserve().unwrap();
        shadow::planes::reserve().unwrap();
        stack::reserve().unwrap();
        sync::table::reserve().unwrap();
        lock::reserve().unwrap();
        lockset::reserve().unwrap();
        crate::engine::machine::reserve().unwrap();
    });
}
