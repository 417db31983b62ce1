//! Resource limits.

use super::call::syscall;
use super::file::File;
use super::memory::PAGE;

const UNLIMITED: u64 = u64::MAX;
/// Stands for "unlimited" where a stack needs a limit. libc takes the limit as
/// the default size of other threads' stacks, so more would let programs with
/// thousands of threads run out of address space.
const LARGEST_STACK: usize = 1 << 30;

fn limit(resource: u32, new: Option<[u64; 2]>) -> Option<[u64; 2]> {
    let mut old = [0u64; 2];
    let new_at = new.as_ref().map_or(0, |n| n.as_ptr() as usize);
    let args = [
        0,
        resource as usize,
        new_at,
        old.as_mut_ptr() as usize,
        0,
        0,
    ];
    // SAFETY: reads `new` if given, fills `old`.
    unsafe { syscall(libc::SYS_prlimit64, args) }
        .ok()
        .map(|_| old)
}

/// The limits that a large reservation meets, with the shell's names. All
/// memory that can be written to counts as data, used or not.
const RESERVATION: [(u32, &str); 2] = [
    (libc::RLIMIT_AS, "ulimit -v"),
    (libc::RLIMIT_DATA, "ulimit -d"),
];

/// A limit on reservations, if there is one: its name and bytes.
pub fn reservation_limit() -> Option<(&'static str, u64)> {
    RESERVATION.into_iter().find_map(|(resource, name)| {
        let [soft, _] = limit(resource, None)?;
        (soft != UNLIMITED).then_some((name, soft))
    })
}

/// Does the kernel count reserved memory as used?
pub fn reservations_count_as_use() -> bool {
    File::open(b"/proc/sys/vm/overcommit_memory")
        .and_then(|file| file.read_to_end())
        .is_ok_and(|setting| setting.starts_with(b"2"))
}

/// Raises the limits on reservations where the process may lift them.
pub fn lift_reservation_limits() {
    for (resource, _) in RESERVATION {
        if let Some([soft, hard]) = limit(resource, None)
            && soft != UNLIMITED
            && hard == UNLIMITED
        {
            limit(resource, Some([hard, hard]));
        }
    }
}

/// First and last-plus-one address the main thread's stack may have.
pub fn main_stack() -> (usize, usize) {
    // The program's file name is among the last things on it.
    // SAFETY: reads a table that libc keeps from the start of the process.
    let near_end = unsafe { libc::getauxval(libc::AT_EXECFN) } as usize;
    let high = near_end.next_multiple_of(PAGE);
    let limit = limit(libc::RLIMIT_STACK, None).map_or(8 << 20, |[soft, _]| soft as usize);
    (high.saturating_sub(limit.min(LARGEST_STACK)), high)
}

/// Limits the main thread's stack if it has no limit. Did that change
/// anything?
pub(super) fn limit_unlimited_stack() -> bool {
    match limit(libc::RLIMIT_STACK, None) {
        Some([UNLIMITED, hard]) => {
            let new = (LARGEST_STACK as u64).min(hard);
            limit(libc::RLIMIT_STACK, Some([new, hard])).is_some()
        }
        _ => false,
    }
}
