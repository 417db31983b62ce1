//! Libraries that the rewriter has instrumented.
//!
//! [`modules`] finds them and fills the slots through which their code reaches
//! the runtime; [`slow`] is what it reaches: it saves everything, because
//! rewritten code expects no call there, and goes on in [`check`], with the
//! [`callers`] that [`unwind`] finds; [`repeat`] is where most checks end.

mod callers;
mod check;
mod imports;
mod modules;
mod repeat;
#[cfg(not(test))]
mod slow;
mod unwind;

pub(crate) use check::Local;
pub use modules::scan_modules;
