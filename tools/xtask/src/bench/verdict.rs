//! What racert promises against ThreadSanitizer, and whether a run kept it.

use serde::Serialize;

use super::canary;
use super::results::{Failure, Micro, Report, Row};
use super::stats::geometric_mean;
use super::tool::Tool;

/// Geometric mean of the kernels' CPU time and of their peak memory.
const MEAN_LIMIT: f64 = 0.7;
/// CPU time of the worst kernel.
const WORST_LIMIT: f64 = 1.3;
/// An uncontended lock and unlock.
const LOCK_LIMIT: f64 = 0.5;
/// Peak memory of a hello world, in bytes.
const HELLO_RSS_LIMIT: f64 = 10.0 * 1024.0 * 1024.0;

/// One promise, measured.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Verdict {
    /// What is promised.
    pub(super) promise: String,
    /// What was measured, in words.
    pub(super) measured: String,
    /// Whether it was kept.
    pub(super) kept: bool,
}

/// Judges the figures of a run of both tools. Nothing is kept that rests on
/// incomplete figures: a kernel that crashed is not a fast one, and a detector
/// that misses a plain race is not one at all.
pub(super) fn judge(report: &Report) -> Vec<Verdict> {
    if ![Tool::Racert, Tool::Tsan]
        .iter()
        .all(|tool| report.tools.contains(tool))
    {
        return Vec::new();
    }
    let mut verdicts = Vec::new();
    let kernels = &report.kernels;
    let broken = report
        .failures
        .iter()
        .filter(|failure| failure.tool == Tool::Racert)
        .count();
    verdicts.push(Verdict {
        promise: "every program runs right under racert, and a plain race is reported".to_owned(),
        measured: format!("{broken} failure(s)"),
        kept: broken == 0,
    });
    let count = kernels
        .iter()
        .filter(|row| row.time_ratio().is_some())
        .count();
    let complete = count == kernels.len();
    let of_kernels = |promise: String, measured: String, kept: bool| Verdict {
        promise,
        measured: format!("{measured}, {count} of {} kernels measured", kernels.len()),
        kept: kept && complete,
    };
    if let Some(mean) = geometric_mean(kernels.iter().filter_map(Row::time_ratio)) {
        let promise = format!("kernels, CPU time, geometric mean <= {MEAN_LIMIT} x tsan");
        verdicts.push(of_kernels(
            promise,
            format!("{mean:.2}"),
            mean <= MEAN_LIMIT,
        ));
    }
    if let Some(mean) = geometric_mean(kernels.iter().filter_map(Row::memory_ratio)) {
        let promise = format!("kernels, peak memory, geometric mean <= {MEAN_LIMIT} x tsan");
        verdicts.push(of_kernels(
            promise,
            format!("{mean:.2}"),
            mean <= MEAN_LIMIT,
        ));
    }
    let worst = kernels
        .iter()
        .filter_map(|row| Some((row.time_ratio()?, row.name.as_str())))
        .max_by(|left, right| left.0.total_cmp(&right.0));
    if let Some((ratio, name)) = worst {
        let promise = format!("no kernel's CPU time > {WORST_LIMIT} x tsan");
        verdicts.push(of_kernels(
            promise,
            format!("{ratio:.2} ({name})"),
            ratio <= WORST_LIMIT,
        ));
    }
    let of = |tool| {
        report
            .micro
            .iter()
            .find(|micro: &&Micro| micro.tool == tool)
    };
    if let (Some(ours), Some(peer)) = (of(Tool::Racert), of(Tool::Tsan)) {
        let ratio = ours.lock_unlock_nanoseconds / peer.lock_unlock_nanoseconds;
        verdicts.push(Verdict {
            promise: format!("uncontended lock+unlock <= {LOCK_LIMIT} x tsan"),
            measured: format!("{ratio:.2}"),
            kept: ratio <= LOCK_LIMIT,
        });
        verdicts.extend([
            start_up("hello world", ours.hello_seconds, peer.hello_seconds),
            start_up(
                "hello world with a thread",
                ours.hello_thread_seconds,
                peer.hello_thread_seconds,
            ),
            start_memory("hello world", ours.hello_rss_bytes),
            start_memory("hello world with a thread", ours.hello_thread_rss_bytes),
        ]);
    }
    let blind = |failure: &Failure| failure.tool == Tool::Racert && failure.subject == canary::NAME;
    if report.failures.iter().any(blind) {
        for verdict in &mut verdicts {
            verdict.kept = false;
        }
    }
    verdicts
}

fn start_up(program: &str, ours: f64, peer: f64) -> Verdict {
    Verdict {
        promise: format!("{program}, CPU time <= tsan"),
        measured: format!("{:.1} ms, tsan {:.1} ms", ours * 1e3, peer * 1e3),
        kept: ours <= peer,
    }
}

fn start_memory(program: &str, ours: f64) -> Verdict {
    Verdict {
        promise: format!("{program}, peak memory <= 10 MB"),
        measured: format!("{:.1} MB", ours / 1024.0 / 1024.0),
        kept: ours <= HELLO_RSS_LIMIT,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::results::sample::{report, row};

    fn kernels(racert_seconds: f64) -> Vec<Row> {
        let figures = |seconds| {
            [
                (Tool::Native, 0.1, 4.0),
                (Tool::Racert, seconds, 10.0),
                (Tool::Tsan, 1.0, 20.0),
            ]
        };
        vec![
            row("steady", &figures(0.25)),
            row("other", &figures(racert_seconds)),
        ]
    }

    #[test]
    fn promises_are_kept_below_their_limits() {
        let verdicts = judge(&report(kernels(1.0)));
        assert_eq!(verdicts.len(), 4);
        assert!(verdicts.iter().all(|verdict| verdict.kept), "{verdicts:?}");
        assert_eq!(verdicts[1].measured, "0.50, 2 of 2 kernels measured");
    }

    #[test]
    fn one_slow_kernel_is_named() {
        let verdicts = judge(&report(kernels(1.5)));
        assert_eq!(
            verdicts[3].measured,
            "1.50 (other), 2 of 2 kernels measured"
        );
        assert!(!verdicts[3].kept);
        assert!(verdicts[1].kept);
    }

    #[test]
    fn a_crashed_kernel_breaks_every_promise_about_kernels() {
        let mut rows = kernels(1.0);
        rows.push(row(
            "crashed",
            &[(Tool::Native, 0.1, 4.0), (Tool::Tsan, 1.0, 20.0)],
        ));
        let mut report = report(rows);
        report.failures.push(Failure {
            subject: "crashed".to_owned(),
            tool: Tool::Racert,
            reason: "signal 11".to_owned(),
        });
        let verdicts = judge(&report);
        assert!(verdicts.iter().all(|verdict| !verdict.kept), "{verdicts:?}");
        assert_eq!(verdicts[1].measured, "0.50, 2 of 3 kernels measured");
    }

    #[test]
    fn a_blind_detector_keeps_no_promise() {
        let mut report = report(kernels(1.0));
        report.failures.push(Failure {
            subject: canary::NAME.to_owned(),
            tool: Tool::Racert,
            reason: "silent".to_owned(),
        });
        assert!(judge(&report).iter().all(|verdict| !verdict.kept));
    }

    #[test]
    fn nothing_is_claimed_without_racert() {
        let mut report = report(kernels(1.0));
        report.tools.retain(|&tool| tool != Tool::Racert);
        assert_eq!(judge(&report), []);
    }
}
