//! `racert-clang` and `racert-clang++`: clang with the plugin and the runtime.
//!
//! The wrapper hands every argument it was given to clang, unchanged and in
//! order, puts what compiling needs in front of them (so that the user's own
//! options win) and what linking needs behind them. In order of use:
//! [`response`] opens `@file` arguments, [`args`] says what the invocation is
//! (by the tables of [`options`]),
//! [`clang`] finds the compiler, [`compile`] and [`link`] say what to add, and
//! [`command`] puts it together and becomes clang.

pub(crate) mod args;
pub(crate) mod clang;
pub(crate) mod command;
pub(crate) mod compile;
pub(crate) mod link;
pub(crate) mod options;
pub(crate) mod response;
