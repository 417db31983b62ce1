//! Where non-local jumps land.
//!
//! A jump leaves functions without their ends being seen; whoever lands has
//! the shadow call stack of the place that was noted.

use super::Thread;
use crate::tls::{self, Frame};
use alloc::vec::Vec;

/// A place noted by `setjmp`.
struct Place {
    /// The program's buffer.
    buffer: usize,
    /// The real stack pointer then.
    sp: usize,
    frames: *mut Frame,
}

/// The places of one thread.
#[derive(Default)]
pub(super) struct Places(Vec<Place>);

/// A place at most so far below the stack pointer is a function's that has
/// returned; farther away it may be on another stack.
const SAME_STACK: usize = 1 << 20;
/// Places kept. More at a time are those of functions that have returned on
/// stacks given up since.
const MOST: usize = 1024;

impl Thread {
    /// `setjmp` is called with `buffer` at stack pointer `sp`.
    pub(crate) fn note_place(&mut self, buffer: usize, sp: usize) {
        let places = &mut self.places.0;
        places.retain(|p| p.buffer != buffer && !(1..SAME_STACK).contains(&sp.wrapping_sub(p.sp)));
        if places.len() >= MOST {
            places.remove(0);
        }
        // SAFETY: this thread's own block.
        let frames = unsafe { (*tls::block()).frames };
        places.push(Place { buffer, sp, frames });
    }

    /// The thread is about to jump to where `buffer` was noted.
    pub(crate) fn jump_to(&mut self, buffer: usize) {
        // A handler that is left by a jump has ended.
        (self.handlers, self.raising) = (0, 0);
        if let Some(place) = self.places.0.iter().find(|p| p.buffer == buffer) {
            // SAFETY: this thread's own block; the frames below the place are
            // still those of the functions that called it.
            unsafe { (*tls::block()).frames = place.frames };
        }
    }
}
