//! What people do with a program that runs or has run: names found later, live
//! status, dumps, and findings in test frameworks.
//!
//! They need the install tree that `cargo xtask build` stages.

#[path = "../support/installed.rs"]
#[expect(dead_code, reason = "other tests use the rest")]
mod installed;
#[path = "../support/mod.rs"]
mod support;

use std::thread;
use std::time::{Duration, Instant};

mod dump;
mod frameworks;
mod late;
mod records;
mod status;

/// Waits until something is so, up to where it must be taken for a hang.
fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < Duration::from_secs(300), "{what}: never");
        thread::sleep(Duration::from_millis(10));
    }
}
