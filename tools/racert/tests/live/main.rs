//! What people do with a program that runs or has run: names found later, live
//! status, dumps, and findings in test frameworks.
//!
//! They need the install tree that `cargo xtask build` stages.

#[path = "../support/installed.rs"]
#[expect(dead_code, reason = "other tests use the rest")]
mod installed;
#[path = "../support/mod.rs"]
mod support;

mod dump;
mod frameworks;
mod late;
mod records;
mod status;
