//! `cargo xtask bench`: racert beside its peers.
//!
//! One run builds every kernel of `tests/bench/` natively and with each tool,
//! runs them in turn (first repetition of all tools, then the second, ...) so
//! that a busy moment of the machine hits all of them, and compares medians of
//! CPU time and peak memory. With `--real` the same is done for programs built
//! from Debian source packages. `--libs` measures rewritten libraries instead.

mod args;
mod build;
mod canary;
mod html;
mod hybrid;
mod kernels;
mod launch;
mod libraries;
mod lock_order;
mod loops;
mod micro;
mod places;
mod progress;
mod readme;
mod real;
mod results;
mod run;
mod series;
mod stats;
mod switch;
mod table;
mod tool;
mod verdict;

pub(crate) use args::Args;
pub(crate) use real::RECIPES;
pub(crate) use real::check as check_real;
pub(crate) use run::main;
