//! What watches or confines processes: seccomp, tracers, emulators.

use super::finding::Finding;

/// Checks how this process is run; programs started here inherit it.
pub(super) fn check() -> Vec<Finding> {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mut findings = vec![seccomp(&status), tracer(&status)];
    let preload = std::env::var("LD_PRELOAD").unwrap_or_default();
    findings.push(preloaded(&preload));
    findings.push(architecture());
    findings
}

fn field<'a>(status: &'a str, name: &str) -> Option<&'a str> {
    status
        .lines()
        .find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))
        .map(str::trim)
}

fn seccomp(status: &str) -> Finding {
    match field(status, "Seccomp") {
        Some("2") => Finding::ok(
            "seccomp",
            "a filter is active; racert needs no unusual call",
        ),
        Some("1") => Finding::fail(
            "seccomp",
            "strict mode forbids mmap",
            "run the program outside of this sandbox",
        ),
        Some(_) => Finding::ok("seccomp", "none"),
        None => Finding::ok("seccomp", "unknown"),
    }
}

fn tracer(status: &str) -> Finding {
    match field(status, "TracerPid") {
        None | Some("0") => Finding::ok("tracer", "none"),
        Some(pid) => Finding::warn(
            "tracer",
            format!("process {pid} traces this one: timing differs and signals pass through it"),
            "run without strace or a debugger for normal speed",
        ),
    }
}

fn preloaded(value: &str) -> Finding {
    if value.contains("vgpreload") {
        Finding::fail(
            "valgrind",
            "this runs under valgrind, whose address space has no room for the shadow",
            "run instrumented programs directly",
        )
    } else if value.trim().is_empty() {
        Finding::ok("LD_PRELOAD", "not set")
    } else {
        Finding::warn(
            "LD_PRELOAD",
            format!("{value}: functions it replaces are not seen by racert"),
            "unset LD_PRELOAD if synchronisation goes unnoticed",
        )
    }
}

fn architecture() -> Finding {
    match std::env::consts::ARCH {
        "x86_64" => Finding::ok("architecture", "x86_64"),
        other => Finding::fail("architecture", other, "racert checks x86_64 programs"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::finding::Level;
    use super::*;

    const STATUS: &str = "Name:\tracert\nTracerPid:\t0\nSeccomp:\t2\nSeccomp_filters:\t1\n";

    #[test]
    fn status_fields_are_read_whole() {
        assert_eq!(field(STATUS, "Seccomp"), Some("2"));
        assert_eq!(field(STATUS, "TracerPid"), Some("0"));
        assert_eq!(field(STATUS, "Absent"), None);
    }

    #[test]
    fn what_confines_a_process_is_judged() {
        assert_eq!(seccomp("Seccomp:\t1").level(), Level::Fail);
        assert_eq!(tracer("TracerPid:\t17").level(), Level::Warn);
        assert_eq!(preloaded("/usr/lib/vgpreload_core.so").level(), Level::Fail);
        assert_eq!(preloaded("").level(), Level::Ok);
    }
}
