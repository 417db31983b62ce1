//! What racert promises against ThreadSanitizer, and whether a run kept it.

use serde::Serialize;

use super::results::{Micro, Row};
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

impl Verdict {
    fn ratio(promise: String, value: f64, limit: f64) -> Self {
        Self {
            promise,
            measured: format!("{value:.2}"),
            kept: value <= limit,
        }
    }
}

/// Judges the figures; a promise whose figures are missing is left out.
pub(super) fn judge(kernels: &[Row], micro: &[Micro]) -> Vec<Verdict> {
    let mut verdicts = Vec::new();
    if let Some(mean) = geometric_mean(kernels.iter().filter_map(Row::time_ratio)) {
        let promise = format!("kernels, CPU time, geometric mean <= {MEAN_LIMIT} x tsan");
        verdicts.push(Verdict::ratio(promise, mean, MEAN_LIMIT));
    }
    if let Some(mean) = geometric_mean(kernels.iter().filter_map(Row::memory_ratio)) {
        let promise = format!("kernels, peak memory, geometric mean <= {MEAN_LIMIT} x tsan");
        verdicts.push(Verdict::ratio(promise, mean, MEAN_LIMIT));
    }
    let worst = kernels
        .iter()
        .filter_map(|row| Some((row.time_ratio()?, row.name.as_str())))
        .max_by(|left, right| left.0.total_cmp(&right.0));
    if let Some((ratio, name)) = worst {
        verdicts.push(Verdict {
            promise: format!("no kernel's CPU time > {WORST_LIMIT} x tsan"),
            measured: format!("{ratio:.2} ({name})"),
            kept: ratio <= WORST_LIMIT,
        });
    }
    let of = |tool| micro.iter().find(|micro: &&Micro| micro.tool == tool);
    if let (Some(ours), Some(peer)) = (of(Tool::Racert), of(Tool::Tsan)) {
        let ratio = ours.lock_unlock_nanoseconds / peer.lock_unlock_nanoseconds;
        let promise = format!("uncontended lock+unlock <= {LOCK_LIMIT} x tsan");
        verdicts.push(Verdict::ratio(promise, ratio, LOCK_LIMIT));
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
    use crate::bench::results::sample::row;

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
        let verdicts = judge(&kernels(1.0), &[]);
        assert_eq!(verdicts.len(), 3);
        assert!(verdicts.iter().all(|verdict| verdict.kept), "{verdicts:?}");
        assert_eq!(verdicts[0].measured, "0.50");
    }

    #[test]
    fn one_slow_kernel_is_named() {
        let verdicts = judge(&kernels(1.5), &[]);
        assert_eq!(verdicts[2].measured, "1.50 (other)");
        assert!(!verdicts[2].kept);
        assert!(verdicts[0].kept);
    }

    #[test]
    fn nothing_is_claimed_without_racert() {
        let rows = [row(
            "alone",
            &[(Tool::Native, 0.1, 4.0), (Tool::Tsan, 1.0, 20.0)],
        )];
        assert_eq!(judge(&rows, &[]), []);
    }
}
