//! Resource limits.

use super::call::syscall;

const UNLIMITED: u64 = u64::MAX;

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

/// The limit on address space in bytes, if there is one.
pub fn address_space_limit() -> Option<u64> {
    limit(libc::RLIMIT_AS, None)
        .map(|[soft, _]| soft)
        .filter(|&soft| soft != UNLIMITED)
}

/// Raises the limit on address space as far as the process may.
pub fn lift_address_space_limit() {
    if let Some([soft, hard]) = limit(libc::RLIMIT_AS, None)
        && soft != UNLIMITED
        && hard == UNLIMITED
    {
        limit(libc::RLIMIT_AS, Some([hard, hard]));
    }
}

/// How large the main thread's stack may become.
pub fn stack_limit() -> usize {
    limit(libc::RLIMIT_STACK, None).map_or(8 << 20, |[soft, _]| soft as usize)
}
