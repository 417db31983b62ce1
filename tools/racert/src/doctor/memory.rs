//! The address space the shadow needs, and what limits it.

use super::finding::Finding;

/// Mappings a process may have, as Linux sets it up.
const DEFAULT_MAP_COUNT: u64 = 65_530;
/// Page randomisation, in bits, that leaves every address inside the
/// application regions: 32 bits of 4 KiB pages are 16 TiB.
const MAX_RANDOM_BITS: u64 = 32;

/// Checks everything the shadow depends on.
pub(super) fn check() -> Vec<Finding> {
    let mut findings = vec![
        reservation_limit("ulimit -v", Limit::of(libc::RLIMIT_AS)),
        reservation_limit("ulimit -d", Limit::of(libc::RLIMIT_DATA)),
        stack_limit(Limit::of(libc::RLIMIT_STACK)),
    ];
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

/// A limit that reservations meet: all memory that can be written to counts as
/// data, used or not. The runtime lifts one that only the soft limit sets.
fn reservation_limit(subject: &'static str, limit: Limit) -> Finding {
    match limit {
        Limit { soft: None, .. } => Finding::ok(subject, "unlimited"),
        Limit {
            soft: Some(bytes),
            hard: None,
        } => Finding::ok(
            subject,
            format!(
                "{} MiB, which programs may lift and racert does",
                bytes >> 20
            ),
        ),
        Limit {
            soft: Some(bytes), ..
        } => Finding::fail(
            subject,
            format!("memory is limited to {} MiB, reserved or used", bytes >> 20),
            format!("{subject} unlimited"),
        ),
    }
}

/// Without a limit for the stack, Linux places libraries from a third of the
/// address space upwards: inside the shadow. The runtime then sets a limit and
/// starts the program again.
fn stack_limit(limit: Limit) -> Finding {
    match limit.soft {
        Some(bytes) => Finding::ok("ulimit -s", format!("{} KiB", bytes >> 10)),
        None => Finding::warn(
            "ulimit -s",
            "unlimited: programs start twice, the second time with a limit",
            "ulimit -s 8192, or any other number",
        ),
    }
}

/// A resource limit of this process; `None` is unlimited.
#[derive(Clone, Copy)]
struct Limit {
    soft: Option<u64>,
    hard: Option<u64>,
}

impl Limit {
    fn of(resource: libc::__rlimit_resource_t) -> Limit {
        let mut limit = libc::rlimit {
            rlim_cur: libc::RLIM_INFINITY,
            rlim_max: libc::RLIM_INFINITY,
        };
        // SAFETY: getrlimit writes one struct through a valid pointer.
        unsafe { libc::getrlimit(resource, &mut limit) };
        let bytes = |value| (value != libc::RLIM_INFINITY).then_some(value);
        Limit {
            soft: bytes(limit.rlim_cur),
            hard: bytes(limit.rlim_max),
        }
    }
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
        let (none, some) = (None, Some(1 << 20));
        let judged = |soft, hard| reservation_limit("ulimit -v", Limit { soft, hard }).level();
        assert_eq!(judged(none, none), Level::Ok);
        assert_eq!(judged(some, none), Level::Ok);
        assert_eq!(judged(some, some), Level::Fail);
        let stack = |soft| stack_limit(Limit { soft, hard: none }).level();
        assert_eq!((stack(some), stack(none)), (Level::Ok, Level::Warn));
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
