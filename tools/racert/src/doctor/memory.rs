//! The address space: can the shadow be reserved, and what limits it.

use std::io;
use std::ptr;

use racert_abi::{APP_HIGH_START, APP_LOW_END};

use super::finding::Finding;

/// Mappings a process may have, as Linux sets it up.
const DEFAULT_MAP_COUNT: u64 = 65_530;
/// Page randomisation, in bits, that leaves every address inside the
/// application regions: 32 bits of 4 KiB pages are 16 TiB.
const MAX_RANDOM_BITS: u64 = 32;

/// Checks everything the shadow depends on.
pub(super) fn check() -> Vec<Finding> {
    let mut findings = vec![reservation(), address_limit(), stack_limit()];
    findings.extend(number("/proc/sys/vm/legacy_va_layout").map(layout));
    findings.extend(number("/proc/sys/vm/overcommit_memory").map(overcommit));
    findings.extend(number("/proc/sys/vm/max_map_count").map(map_count));
    findings.extend(number("/proc/sys/vm/mmap_rnd_bits").map(randomisation));
    findings.extend(
        std::fs::read_to_string("/sys/kernel/mm/transparent_hugepage/enabled")
            .ok()
            .map(|text| huge_pages(&text)),
    );
    findings
}

/// Reserves the very range the runtime uses, and gives it back.
fn reservation() -> Finding {
    let start = APP_LOW_END;
    let length = (APP_HIGH_START - APP_LOW_END) as usize;
    let flags =
        libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE | libc::MAP_FIXED_NOREPLACE;
    let address = ptr::without_provenance_mut(start as usize);
    // SAFETY: MAP_FIXED_NOREPLACE never replaces an existing mapping.
    let mapped = unsafe {
        libc::mmap(
            address,
            length,
            libc::PROT_READ | libc::PROT_WRITE,
            flags,
            -1,
            0,
        )
    };
    let what = format!("{} TiB of address space at {start:#x}", length >> 40);
    if mapped == libc::MAP_FAILED {
        let error = io::Error::last_os_error();
        return Finding::fail(
            "shadow",
            format!("cannot reserve {what}: {error}"),
            "look at the limits below; a container or sandbox may set its own",
        );
    }
    // SAFETY: this is the mapping made above, which nothing refers to.
    unsafe { libc::munmap(mapped, length) };
    if mapped != address {
        return Finding::fail(
            "shadow",
            format!("{what} was placed elsewhere: this kernel is older than 4.17"),
            "use a newer kernel",
        );
    }
    Finding::ok("shadow", format!("{what} can be reserved"))
}

fn address_limit() -> Finding {
    match limit(libc::RLIMIT_AS) {
        None => Finding::ok("ulimit -v", "unlimited"),
        Some(bytes) => Finding::fail(
            "ulimit -v",
            format!("address space is limited to {} MiB", bytes >> 20),
            "ulimit -v unlimited",
        ),
    }
}

/// Without a limit for the stack, Linux places libraries from a third of the
/// address space upwards: inside the shadow.
fn stack_limit() -> Finding {
    match limit(libc::RLIMIT_STACK) {
        Some(bytes) => Finding::ok("ulimit -s", format!("{} KiB", bytes >> 10)),
        None => Finding::fail(
            "ulimit -s",
            "unlimited: Linux then places libraries where the shadow is",
            "ulimit -s 8192, or any other number",
        ),
    }
}

/// A resource limit of this process, if there is one.
fn limit(resource: libc::__rlimit_resource_t) -> Option<u64> {
    let mut limit = libc::rlimit {
        rlim_cur: 0,
        rlim_max: 0,
    };
    // SAFETY: getrlimit writes one struct through a valid pointer.
    let result = unsafe { libc::getrlimit(resource, &mut limit) };
    (result == 0 && limit.rlim_cur != libc::RLIM_INFINITY).then_some(limit.rlim_cur)
}

fn layout(value: u64) -> Finding {
    if value == 0 {
        Finding::ok("vm.legacy_va_layout", "0")
    } else {
        Finding::fail(
            "vm.legacy_va_layout",
            format!("{value}: Linux then places libraries where the shadow is"),
            "sysctl vm.legacy_va_layout=0",
        )
    }
}

fn overcommit(value: u64) -> Finding {
    if value == 2 {
        Finding::fail(
            "vm.overcommit_memory",
            "2: the kernel counts reserved memory as used",
            "sysctl vm.overcommit_memory=0",
        )
    } else {
        Finding::ok("vm.overcommit_memory", value.to_string())
    }
}

fn map_count(value: u64) -> Finding {
    if value < DEFAULT_MAP_COUNT {
        Finding::warn(
            "vm.max_map_count",
            format!("{value} is below the usual {DEFAULT_MAP_COUNT}"),
            format!("sysctl vm.max_map_count={DEFAULT_MAP_COUNT}"),
        )
    } else {
        Finding::ok("vm.max_map_count", value.to_string())
    }
}

fn randomisation(bits: u64) -> Finding {
    if bits > MAX_RANDOM_BITS {
        Finding::warn(
            "vm.mmap_rnd_bits",
            format!("{bits} bits may place the program where the shadow is"),
            format!("sysctl vm.mmap_rnd_bits={MAX_RANDOM_BITS}"),
        )
    } else {
        Finding::ok(
            "vm.mmap_rnd_bits",
            format!("{bits} (up to {MAX_RANDOM_BITS} are fine)"),
        )
    }
}

fn huge_pages(setting: &str) -> Finding {
    let chosen = setting
        .split('[')
        .nth(1)
        .and_then(|rest| rest.split(']').next());
    match chosen {
        Some("never") => Finding::warn(
            "transparent huge pages",
            "never: first touches of the shadow are slower",
            "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled",
        ),
        Some(chosen) => Finding::ok("transparent huge pages", chosen),
        None => Finding::ok("transparent huge pages", "unknown setting"),
    }
}

fn number(path: &str) -> Option<u64> {
    std::fs::read_to_string(path).ok()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::super::finding::Level;
    use super::*;

    #[test]
    fn limits_are_judged() {
        assert_eq!(overcommit(0).level(), Level::Ok);
        assert_eq!(overcommit(2).level(), Level::Fail);
        assert_eq!(layout(0).level(), Level::Ok);
        assert_eq!(layout(1).level(), Level::Fail);
        assert_eq!(map_count(262_144).level(), Level::Ok);
        assert_eq!(map_count(1000).level(), Level::Warn);
        assert_eq!(randomisation(28).level(), Level::Ok);
        assert_eq!(randomisation(33).level(), Level::Warn);
    }

    #[test]
    fn the_bracketed_setting_is_the_chosen_one() {
        assert_eq!(huge_pages("always [madvise] never\n").level(), Level::Ok);
        assert_eq!(huge_pages("always madvise [never]\n").level(), Level::Warn);
    }
}
