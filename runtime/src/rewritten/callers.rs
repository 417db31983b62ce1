//! Chains of callers met before.
//!
//! Following the stack anew for every check would cost more than all the rest
//! of it. A chain stays what it is as long as the words of the stack that it
//! was read from hold the same; comparing those is a few instructions each.

use super::modules;
use super::unwind::{self, Position};
use crate::{os, stack};

/// Chains remembered by each thread.
const CHAINS: usize = 128;
/// Words of the stack that a remembered chain may have been read from.
const WORDS: usize = 40;
/// Callers that a report shows of a deep recursion.
const DEEPEST: usize = 64;

/// Who called the function that a check is in.
#[derive(Clone, Copy)]
pub(super) struct Callers {
    /// Where it returns to.
    pub(super) return_address: u64,
    /// Its own context.
    pub(super) context: u32,
    /// The context of its caller.
    pub(super) outer: u32,
}

/// A word of the stack and what it held.
#[derive(Clone, Copy)]
#[repr(C)]
struct Held {
    place: usize,
    value: usize,
}

/// A chain; all zero where there is none.
#[derive(Clone, Copy)]
struct Chain {
    /// The first `count` words are the ones that matter, the return address of
    /// the innermost function first.
    words: [Held; WORDS],
    count: usize,
    /// What `rbp` was if a frame was found by it, else 0.
    bp: usize,
    /// Context of the shadow call stack below.
    below: u32,
    /// Libraries whose frames could be followed.
    libraries: usize,
    callers: Callers,
}

/// The chains of one thread: 80 KiB, of which it pays for the pages it uses.
pub(crate) struct Chains(*mut [Chain; CHAINS]);

// SAFETY: the mapping belongs to the owner.
unsafe impl Send for Chains {}

impl Default for Chains {
    fn default() -> Self {
        Chains(core::ptr::null_mut())
    }
}

impl Drop for Chains {
    fn drop(&mut self) {
        if !self.0.is_null() {
            os::unmap(self.0.cast(), size_of::<[Chain; CHAINS]>());
        }
    }
}

impl Chains {
    /// The place for the chain that begins with this word.
    #[inline]
    fn at(&mut self, first: Held) -> Option<&mut Chain> {
        if self.0.is_null() {
            self.0 = os::map(size_of::<[Chain; CHAINS]>()).ok()?.cast();
        }
        let hash = (first.place ^ first.value << 16).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        // SAFETY: zeroed memory is a table without chains; it is this thread's.
        Some(unsafe { &mut (*self.0)[hash >> 57] })
    }

    /// The callers of the function at `at`, whose shadow call stack ends in the
    /// context `below`; `None` if there are none to be found.
    #[inline]
    pub(super) fn find(&mut self, at: Position, below: u32) -> Option<Callers> {
        let place = unwind::return_slot(at)?;
        // SAFETY: the unwind table says that the return address is there.
        let value = unsafe { *(place as *const usize) };
        let first = Held { place, value };
        let chain = self.at(first)?;
        if chain.is(first, at.bp, below) {
            return Some(chain.callers);
        }
        self.follow(at, below, first)
    }

    /// Follows the stack and remembers what was found.
    #[cold]
    fn follow(&mut self, at: Position, below: u32, first: Held) -> Option<Callers> {
        let mut addresses = [0; DEEPEST];
        let mut depth = 0;
        let mut words = [Held { place: 0, value: 0 }; WORDS];
        let mut count = 0;
        let mut used_bp = 0;
        let mut note = |place: usize, value: usize| {
            if let Some(word) = words.get_mut(count) {
                *word = Held { place, value };
            }
            count += 1;
        };
        let libraries = modules::count();
        let mut position = at;
        // Where the caller's `rbp` was read; still in the register if nowhere.
        let mut bp_place = None;
        while depth < DEEPEST
            && let Some(step) = unwind::caller(position)
        {
            note(step.return_slot, step.caller.pc);
            match bp_place {
                Some(place) if step.by_bp => note(place, position.bp),
                None if step.by_bp => used_bp = at.bp,
                _ => {}
            }
            bp_place = step.bp_slot.or(bp_place);
            addresses[depth] = step.caller.pc as u64;
            depth += 1;
            position = step.caller;
        }
        let (&return_address, others) = addresses[..depth].split_first()?;
        let outer = others.iter().rev();
        let outer = outer.fold(below, |context, &pc| stack::intern(context, pc));
        let callers = Callers {
            return_address,
            context: stack::intern(outer, return_address),
            outer,
        };
        if count <= WORDS
            && let Some(chain) = self.at(first)
        {
            *chain = Chain {
                words,
                count,
                bp: used_bp,
                below,
                libraries,
                callers,
            };
        }
        Some(callers)
    }
}

impl Chain {
    #[inline]
    fn is(&self, first: Held, bp: usize, below: u32) -> bool {
        let begins = self.words[0].place == first.place && self.words[0].value == first.value;
        if !begins || self.below != below || self.libraries != modules::count() {
            return false;
        }
        if self.bp != 0 && self.bp != bp {
            return false;
        }
        let rest = self.words.get(1..self.count).unwrap_or_default();
        // SAFETY: words of this thread's stack, above the innermost frame.
        rest.iter()
            .all(|word| unsafe { *(word.place as *const usize) } == word.value)
    }
}
