//! What was instrumented, and what was not and why.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::{Value, json};

use super::code::Reason;

/// The account of one rewritten file. Accesses are instructions that touch
/// memory other than the stack, in functions with an unwind entry.
#[derive(Debug, Default)]
pub struct Coverage {
    pub(super) functions: u32,
    /// Functions whose body was moved.
    pub(super) moved: u32,
    /// Functions that touch nothing.
    pub(super) harmless: u32,
    /// Functions left alone.
    pub(super) skipped: BTreeMap<Reason, u32>,
    pub(super) accesses: u32,
    /// Accesses with a check of their own or settled by one before.
    pub(super) checked: u32,
    /// Accesses to memory that only the loader writes.
    pub(super) constant: u32,
    /// Accesses left alone.
    pub(super) missed: BTreeMap<Reason, u32>,
    /// Bytes of code without an unwind entry.
    pub(super) unknown_bytes: u64,
    /// Jumps of five bytes, and pairs of a short one and a springboard.
    pub(super) near_jumps: u32,
    pub(super) short_jumps: u32,
    /// Names of the functions left alone, with the reason.
    pub(super) left: Vec<(String, Reason)>,
}

impl Coverage {
    /// Part of the accesses that cannot hide a race, in percent.
    pub fn percent(&self) -> f64 {
        if self.accesses == 0 {
            return 100.0;
        }
        f64::from(self.checked + self.constant) * 100.0 / f64::from(self.accesses)
    }

    /// For `--report`.
    pub fn json(&self, input: &str) -> Value {
        let reasons = |map: &BTreeMap<Reason, u32>| -> Value {
            map.iter()
                .map(|(reason, count)| (reason.text().to_owned(), json!(count)))
                .collect::<serde_json::Map<_, _>>()
                .into()
        };
        let left: Vec<Value> = self
            .left
            .iter()
            .map(|(name, reason)| json!({ "function": name, "reason": reason.text() }))
            .collect();
        json!({
            "file": input,
            "functions": {
                "total": self.functions,
                "moved": self.moved,
                "without_accesses": self.harmless,
                "skipped": reasons(&self.skipped),
            },
            "accesses": {
                "total": self.accesses,
                "checked": self.checked,
                "constant": self.constant,
                "skipped": reasons(&self.missed),
                "covered_percent": self.percent(),
            },
            "jumps": { "near": self.near_jumps, "short": self.short_jumps },
            "bytes_without_unwind_entry": self.unknown_bytes,
            "left_alone": left,
        })
    }
}

impl fmt::Display for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} of {} functions moved ({} touch no shared memory), {:.2} % of {} accesses covered",
            self.moved,
            self.functions,
            self.harmless,
            self.percent(),
            self.accesses
        )?;
        for (reason, count) in &self.missed {
            write!(f, "\n  {count} accesses left: {}", reason.text())?;
        }
        if self.unknown_bytes > 0 {
            write!(
                f,
                "\n  {} bytes of code left: no unwind entry",
                self.unknown_bytes
            )?;
        }
        Ok(())
    }
}
