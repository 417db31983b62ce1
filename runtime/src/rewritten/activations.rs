//! Who called the function that a check is in.
//!
//! Functions of rewritten libraries make themselves known when they are
//! entered, see [`racert_abi::rewritten::activation`]. Their context is found
//! when the first check asks for it, mostly from the entry before, and stays
//! what it is as long as the function does.

use super::callers::{self, Callers};
use super::calls::Calls;
use super::unwind::{self, Position};
use crate::thread::Thread;
use crate::{os, stack, tls};
use racert_abi::rewritten::activation as abi;

/// A function that was entered; see [`abi`].
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Activation {
    place: usize,
    return_address: usize,
    /// 0 until somebody asks.
    context: u32,
    outer: u32,
    firm: u64,
}

const _: () = {
    use core::mem::offset_of;
    assert!(size_of::<Activation>() == abi::SIZE);
    assert!(offset_of!(Activation, place) == abi::PLACE);
    assert!(offset_of!(Activation, return_address) == abi::RETURN);
    assert!(offset_of!(Activation, context) == abi::CONTEXT);
    assert!(offset_of!(Activation, firm) == abi::FIRM);
};

#[cfg(not(test))]
impl Activation {
    /// Where assembly finds its parts.
    pub(super) const PLACE: usize = abi::PLACE;
    pub(super) const RETURN: usize = abi::RETURN;
    pub(super) const CONTEXT: usize = abi::CONTEXT;
    pub(super) const OUTER: usize = core::mem::offset_of!(Activation, outer);
    pub(super) const FIRM: usize = abi::FIRM;
}

/// Callers whose contexts are not known that are looked for at once.
const DEEPEST: u32 = 64;

/// Where the table is within its mapping depends on its alignment; one more
/// entry is behind it.
const MAPPING: usize = 2 * abi::TABLE + 4096;

/// The table of one thread: as many entries as a stack of 1 MiB has room for
/// frames of 32 bytes, of which it pays for the pages it uses.
pub(crate) struct Activations {
    mapping: *mut u8,
    /// The innermost while another record is the thread's.
    parked: *mut Activation,
}

// SAFETY: the mapping belongs to the owner.
unsafe impl Send for Activations {}

impl Default for Activations {
    fn default() -> Self {
        Activations {
            mapping: core::ptr::null_mut(),
            parked: core::ptr::null_mut(),
        }
    }
}

impl Drop for Activations {
    fn drop(&mut self) {
        if !self.mapping.is_null() {
            os::unmap(self.mapping, MAPPING);
        }
    }
}

impl Activations {
    /// Its thread goes on with another table, or ends.
    pub(crate) fn park(&mut self) {
        // SAFETY: this thread's own block.
        let top = unsafe { &mut (*tls::block()).activations };
        self.parked = core::mem::replace(top, core::ptr::null_mut());
    }

    /// The calling thread goes on with it.
    pub(crate) fn resume(&self) {
        // SAFETY: as above.
        unsafe { (*tls::block()).activations = self.parked };
    }

    /// Makes the table, if there is memory for it.
    #[cold]
    fn reserve(&mut self) -> Option<*mut Activation> {
        if self.mapping.is_null() {
            self.mapping = os::map(MAPPING).ok()?;
        }
        let start = self.mapping.map_addr(|at| at.next_multiple_of(abi::TABLE));
        let first = start.cast::<Activation>();
        // SAFETY: within the mapping; zeroed memory is entries of nothing. The
        // block is this thread's.
        unsafe {
            (*first).place = usize::MAX;
            (*tls::block()).activations = first;
        }
        Some(first)
    }
}

/// The callers of the function at `at` of the calling thread `me`; it has its
/// return address at `place` and has made itself known.
#[inline]
pub(super) fn find(me: &mut Thread, at: Position, place: usize) -> Option<Callers> {
    let block = tls::block();
    // SAFETY: this thread's own block.
    let mut top = unsafe { (*block).activations };
    if top.is_null() {
        top = me.rewritten.activations.reserve()?;
    }
    // SAFETY: the entry at the start of the table ends every search; the
    // unwind table says that the return address is at `place`.
    unsafe {
        while (*top).place < place {
            top = top.sub(1);
        }
        let return_address = *(place as *const usize);
        if (*top).place != place || (*top).return_address != return_address {
            top = add(top, place, return_address)?;
        }
        (*block).activations = top;
        if (*top).context == 0 {
            let below = me.context();
            resolve(top, at, below, DEEPEST, &mut me.rewritten.calls)?;
        }
        Some((*top).callers())
    }
}

/// The callers of the innermost function that has made itself known.
#[inline]
pub(super) fn innermost() -> Option<Callers> {
    // SAFETY: this thread's own block, and an entry of its table.
    unsafe { (*tls::block()).activations.as_ref() }.map(Activation::callers)
}

impl Activation {
    fn callers(&self) -> Callers {
        Callers {
            return_address: self.return_address as u64,
            context: self.context,
            outer: self.outer,
        }
    }
}

/// An entry for a function that was entered before there was a table, or is on
/// another stack than those in it; `None` if it is full.
///
/// # Safety
/// `top` must be an entry of this thread's table.
#[cold]
unsafe fn add(
    top: *mut Activation,
    place: usize,
    return_address: usize,
) -> Option<*mut Activation> {
    // SAFETY: there is an entry behind the last one, too.
    unsafe {
        let at = if (*top).place == place {
            top
        } else {
            top.add(1)
        };
        if at.addr().is_multiple_of(abi::TABLE) {
            return None;
        }
        *at = Activation {
            place,
            return_address,
            context: 0,
            outer: 0,
            firm: 0,
        };
        (*at.add(1)).place = 0;
        Some(at)
    }
}

/// Finds the context of `entry`, whose function is at `at`; `None` if there are
/// no callers.
///
/// # Safety
/// `entry` must be an entry of this thread's table, and not the first one.
unsafe fn resolve(
    entry: *mut Activation,
    at: Position,
    below: u32,
    steps: u32,
    calls: &mut Calls,
) -> Option<()> {
    let caller = unwind::caller(at)?;
    let return_address = caller.pc as u64;
    // SAFETY: there is an entry before.
    unsafe {
        let before = entry.sub(1);
        let (outer, is_firm) = match unwind::return_slot(caller) {
            None => (below, false),
            Some(place)
                if (*before).place == place
                    && (*before).return_address == *(place as *const usize)
                    && steps > 0 =>
            {
                if (*before).context == 0 {
                    resolve(before, caller, below, steps - 1, calls)?;
                }
                ((*before).context, true)
            }
            Some(_) => {
                let callers = callers::follow(at, below)?;
                (callers.outer, false)
            }
        };
        (*entry).outer = outer;
        (*entry).context = stack::intern(outer, return_address);
        (*entry).firm = is_firm.into();
        if is_firm && unwind::is_by_stack(caller) {
            let frame = ((*before).place - (*entry).place) as u64;
            calls.put(return_address, outer, (*entry).context, frame);
        }
    }
    Some(())
}
