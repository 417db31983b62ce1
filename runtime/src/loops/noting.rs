//! What the predicates of loops that spin read.
//!
//! `while (!is_ready(x));` watches whatever `is_ready` reads. While it runs,
//! its reads are noted instead of checked; they are dealt with when the loop is
//! left.
//!
//! Predicates of loops that wait on a condition variable are checked all the
//! same. What comes to the runtime is noted: all that they read where every
//! access comes, else what is atomic or was not accessed before in the segment.

use crate::tls::{self, Frame};
use alloc::vec::Vec;
use racert_abi::word as abi;

/// Reads kept of one evaluation.
const READS: usize = 64;

/// A read by a predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Read {
    /// First byte.
    pub addr: usize,
    /// How many.
    pub size: usize,
    /// Code address.
    pub pc: usize,
}

/// A thread's notes.
#[derive(Default)]
pub struct Noting {
    reads: Vec<Read>,
    /// The shadow call stack when the predicate of a loop that spins began.
    asked: Option<*mut Frame>,
    /// The predicate of a loop that waits runs.
    waits: bool,
}

impl Noting {
    /// A predicate begins. From here on every access comes to the runtime, if
    /// the caller tells instrumented code: no thread is in slot 0.
    pub(super) fn begin(&mut self, fresh: bool) {
        if fresh {
            self.reads.clear();
        }
        if self.asked.is_some() {
            return;
        }
        // SAFETY: this thread's own block.
        unsafe {
            let block = tls::block();
            self.asked = Some((*block).frames);
            (*block).current = 1 << abi::POS_SHIFT;
        }
    }

    /// Does a predicate run whose reads are noted?
    pub fn is_on(&self) -> bool {
        self.waits || self.asked.is_some()
    }

    /// The predicate of a loop that waits begins.
    pub(super) fn begin_waiting(&mut self, fresh: bool) {
        if fresh {
            self.reads.clear();
        }
        self.waits = true;
    }

    /// Does a loop that waits ask?
    #[inline]
    pub fn waits(&self) -> bool {
        self.waits
    }

    /// Takes down an atomic load, if a loop that waits asks.
    #[inline]
    pub fn note_atomic(&mut self, addr: usize, size: usize, pc: usize) {
        if self.waits {
            self.add(Read { addr, size, pc });
        }
    }

    /// It has ended; `false` if none ran. The caller tells instrumented code
    /// where the thread is.
    pub(super) fn end(&mut self) -> bool {
        let was_on = self.is_on();
        self.waits = false;
        self.asked = None;
        was_on
    }

    /// Takes down a read; `false` if it is to be checked.
    #[inline]
    pub fn note(&mut self, addr: usize, size: usize, pc: usize) -> bool {
        self.is_on() && self.note_in(Read { addr, size, pc })
    }

    #[cold]
    fn note_in(&mut self, read: Read) -> bool {
        if self.asked.is_none() {
            self.add(read);
            return false;
        }
        // SAFETY: as above.
        let now = unsafe { (*tls::block()).frames };
        // An exception or a jump has left the predicate.
        if self.asked.is_some_and(|frames| now < frames) {
            self.end();
            if let Some(me) = crate::thread::current() {
                me.publish_segment();
                me.publish_transitions();
            }
            return false;
        }
        self.add(read);
        true
    }

    fn add(&mut self, read: Read) {
        if self.reads.len() < READS && !self.reads.contains(&read) {
            self.reads.push(read);
        }
    }

    /// What was noted, which is used up.
    pub(super) fn take(&mut self) -> Vec<Read> {
        core::mem::take(&mut self.reads)
    }
}
