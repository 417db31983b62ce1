//! Real builds with real clang: by hand, with Make, CMake and pkg-config.
//!
//! They need the install tree that `cargo xtask build` stages.

#[path = "../support/installed.rs"]
mod installed;
#[path = "../support/mod.rs"]
mod support;

mod by_hand;
mod cargo;
mod cmake;
mod doctor;
mod make;
mod others;
mod records;
mod shared;
