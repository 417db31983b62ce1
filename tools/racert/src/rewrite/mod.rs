//! `racert rewrite` and the libraries of `racert run --libs`.
//!
//! The rewriter itself is a crate of its own; [`command`] is the subcommand,
//! [`libraries`] rewrites what a program loads and keeps it, [`search`] finds
//! what it opens later, [`progress`] shows how far it is, [`write`] puts files
//! in their places, [`pages`] saves memory.

mod command;
mod libraries;
mod pages;
mod progress;
mod search;
mod write;

pub(crate) use command::exec;
pub(crate) use libraries::{Wanted, has_runtime, prepare, program_twin, twin};
