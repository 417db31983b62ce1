//! Options meant for ThreadSanitizer.
//!
//! A program built for it says what it wants in `TSAN_OPTIONS` or returns it
//! from `__tsan_default_options`. What has a counterpart here is taken over,
//! what has none is ignored, for it was not written for racert.

use super::{Options, table};

/// Name of the variable.
pub(super) const VARIABLE: &str = "TSAN_OPTIONS";

/// Keys that mean the same in both.
const SHARED: &[&str] = &[
    "color",
    "detect_deadlocks",
    "exitcode",
    "halt_on_error",
    "log_path",
    "memory_limit_mb",
    "print_summary",
    "print_suppressions",
    "report_bugs",
    "report_destroy_locked",
    "report_signal_unsafe",
    "report_thread_leaks",
    "second_deadlock_stack",
    "strip_path_prefix",
    "suppressions",
    "symbolize",
];

/// Applies `text` on top of `options`.
pub(super) fn apply(options: &mut Options, text: &str) {
    for (key, value) in pairs(text) {
        if let Some(entry) = table::find(key)
            && SHARED.contains(&key)
            && let Ok(value) = entry.allowed.parse(value)
        {
            (entry.set)(options, value);
        }
    }
}

/// `key=value` pairs, separated as ThreadSanitizer separates them; a value may
/// be in quotes of either kind.
fn pairs(text: &str) -> impl Iterator<Item = (&str, &str)> {
    const BETWEEN: [char; 6] = [' ', ',', ':', '\n', '\t', '\r'];
    let mut rest = text;
    core::iter::from_fn(move || {
        loop {
            rest = rest.trim_start_matches(BETWEEN);
            if rest.is_empty() {
                return None;
            }
            let end = rest.find(BETWEEN).unwrap_or(rest.len());
            let Some(equals) = rest[..end].find('=') else {
                rest = &rest[end..];
                continue;
            };
            let (key, value) = (&rest[..equals], &rest[equals + 1..]);
            let quoted = ['\'', '"']
                .iter()
                .find_map(|quote| value.strip_prefix(*quote)?.split_once(*quote));
            let (value, after) = quoted.unwrap_or_else(|| {
                let end = value.find(BETWEEN).unwrap_or(value.len());
                value.split_at(end)
            });
            rest = after;
            return Some((key, value));
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_keys_are_taken_and_others_ignored() {
        let mut options = Options::default();
        apply(
            &mut options,
            "halt_on_error=1 history_size=7:exitcode=3,log_path='/tmp/a b:c' \
             detect_deadlocks second_deadlock_stack=0 mode=nonsense max_findings=1 \
             symbolize=maybe report_bugs=0",
        );
        let expected = Options {
            halt_on_error: true,
            exitcode: 3,
            log_path: "/tmp/a b:c".into(),
            report_bugs: false,
            second_deadlock_stack: false,
            ..Options::default()
        };
        assert_eq!(options, expected);
    }

    #[test]
    fn every_shared_key_exists() {
        for key in SHARED {
            assert!(table::find(key).is_some(), "{key}");
        }
    }
}
