//! Loops that wait for another thread, as the pass found them.
//!
//! [`entry`] is what instrumented code calls: at the exits of loops that wait
//! on a condition variable, at the exits of loops that only watch memory, and
//! round predicates that are functions. [`condition`] reads what the pass
//! wrote down there.
//!
//! What an exit means depends on how races are detected. Where happens-before
//! is all that counts, leaving a loop that waits on a condition variable adds
//! nothing: whoever made the condition true had the mutex, and the mutex
//! orders the two already. Leaving a loop that watches memory does add an
//! edge ([`spin_exit`]).

pub mod condition;
mod entry;

use crate::thread::Thread;
use condition::WaitExit;

/// `me` has left a loop that waits on a condition variable.
///
/// Under `mode=hb`, the only one there is, the mutex has made the edge.
pub fn wait_exit(_me: &mut Thread, _exit: &WaitExit<'_>) {}

/// `me` has left a loop because of what is now in the `size` bytes at `addr`.
///
/// The writer that ended the loop is ordered before whatever `me` does next;
/// who that was, and what it had done by then, is in the shadow and the logs.
/// Until the engine is asked for it, no edge is made and the accesses behind
/// the loop are reported like any others.
pub fn spin_exit(_me: &mut Thread, _addr: usize, _size: usize) {}
