//! Libraries that the rewriter has instrumented.
//!
//! [`modules`] finds them and fills the slots through which their code reaches
//! the runtime; [`slow`] is what it reaches. Most checks end there, in [`known`]
//! and [`granule`], with the help of what is known of [`places`]; for others it
//! saves everything, because rewritten code expects no call there, and goes on
//! in [`check`]. Who called it, the [`activations`] tell, and where they do not,
//! the [`callers`] that [`unwind`] finds ([`calls`] has those found before); [`repeat`] is where most of these end.
//! [`borders`] says which conflicts are a library's own affair, [`twin`] which
//! file is opened in place of another.

mod activations;
mod borders;
mod callers;
mod calls;
mod check;
pub(crate) mod granule;
mod imports;
#[cfg(not(test))]
mod known;
mod modules;
pub(crate) mod numbers;
pub(crate) mod places;
pub(crate) mod repeat;
#[cfg(not(test))]
mod slow;
mod twin;
mod unwind;

pub use activations::Activation;
pub(crate) use borders::is_own_affair;
pub(crate) use check::Local;
pub(crate) use modules::is_rewritten;
pub use modules::scan_modules;
pub(crate) use twin::{after_fork, before_fork, of as twins_of, searching};

use crate::options::Environment;
use racert_abi::rewritten::{BORDERS_VARIABLE, LIBRARIES_VARIABLE, TOOL_VARIABLE};

/// Reads what `racert run` says about libraries, and connects those that are
/// there.
pub fn start(environment: &Environment) {
    if let Some(names) = environment.get(BORDERS_VARIABLE) {
        borders::trust(&names);
    }
    if let (Some(_), Some(tool)) = (
        environment.get(LIBRARIES_VARIABLE),
        environment.get(TOOL_VARIABLE),
    ) {
        twin::ask(&tool);
    }
    scan_modules();
}
