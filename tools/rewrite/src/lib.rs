//! Checks in x86-64 libraries that come without source.
//!
//! The way of a file through the modules: [`image`] reads it, [`frames`] finds
//! the functions, [`code`] decodes them, [`tables`] resolves their switches,
//! [`access`] says what each instruction touches, [`flow`] which addresses can
//! be reached from elsewhere, [`liveness`] which registers are free, and
//! [`constants`] which hold addresses of what no thread writes.
//! [`emit`] builds the moved functions with their checks, which call the
//! [`thunk`]s, and make themselves known by an [`entry`]; [`patch`] leads the original code there and [`output`] makes
//! the new file. [`rewriter`] ties it together, [`coverage`] is what the user
//! is told.
//!
//! A function body moves to a new segment, but every call still executes at
//! its original address: return addresses, and with them unwind tables and
//! exception handlers, stay as they were.
//!
//! Files come from anywhere: whatever their bytes, the result is a file that
//! can be loaded or an [`Error`].

mod access;
mod code;
mod constants;
mod coverage;
mod emit;
mod entry;
mod error;
mod flow;
mod frames;
mod image;
mod liveness;
mod output;
mod patch;
mod rewriter;
mod tables;
mod thunk;

pub use coverage::Coverage;
pub use error::{Error, Result};
pub use image::Image;
pub use rewriter::{Options, Rewritten, rewrite, rewrite_watched};
