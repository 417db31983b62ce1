//! `racert rewrite`: checks in x86-64 libraries that come without source.
//!
//! The way of a file through the modules: [`image`] reads it, [`frames`] finds
//! the functions, [`code`] decodes them, [`tables`] resolves their switches,
//! [`access`] says what each instruction touches, [`flow`] which addresses can
//! be reached from elsewhere, [`liveness`] which registers are free.
//! [`emit`] builds the moved functions with their checks, which call the
//! [`thunk`]s; [`patch`] leads the original code there and [`output`] writes
//! the file. [`coverage`] is what the user is told, [`command`] ties it
//! together; [`libraries`] does it for all libraries of a program.
//!
//! A function body moves to a new segment, but every call still executes at
//! its original address: return addresses, and with them unwind tables and
//! exception handlers, stay as they were.

mod access;
mod code;
mod command;
mod coverage;
mod emit;
mod flow;
mod frames;
mod image;
mod libraries;
mod liveness;
mod output;
mod patch;
mod rewriter;
mod tables;
mod thunk;

pub(crate) use command::exec;
pub(crate) use libraries::{Wanted, has_runtime, prepare};
