//! Call stacks as numbers.
//!
//! A calling context is a node of one tree for the whole process: the parent
//! context and a code address. Contexts are interned on demand and never
//! removed, so a log entry that carries a context's number can name every
//! caller however long ago the access was. Nothing is paid for a call that no
//! recorded access was made from: the shadow call stack holds return
//! addresses, and a frame's context is looked up only when somebody asks.

mod tree;

use crate::finding::Stack;
use crate::tls::Frame;
use alloc::vec::Vec;
pub use tree::{intern, reserve};

/// The context of a thread's outermost function.
pub const ROOT: u32 = 1;
/// Stands for callers that are no longer known.
pub const LOST: u32 = 2;

/// The context of the innermost frame of the shadow stack `[base, top)`.
///
/// # Safety
/// `base..top` must be the calling thread's own shadow stack.
#[inline]
pub unsafe fn context(base: *mut Frame, top: *mut Frame) -> u32 {
    // SAFETY: as promised by the caller.
    unsafe {
        if top > base {
            let known = (*top.sub(1)).context;
            if known != 0 {
                return known as u32;
            }
        }
        context_slow(base, top)
    }
}

#[cold]
unsafe fn context_slow(base: *mut Frame, top: *mut Frame) -> u32 {
    let mut at = top;
    // SAFETY: stays within `base..top`.
    unsafe {
        while at > base && (*at.sub(1)).context == 0 {
            at = at.sub(1);
        }
        let mut context = if at > base {
            (*at.sub(1)).context as u32
        } else {
            ROOT
        };
        while at < top {
            context = intern(context, (*at).return_address);
            (*at).context = context.into();
            at = at.add(1);
        }
        context
    }
}

/// The context of the callers of context `id`, and its own address.
pub fn node(id: u32) -> (u32, u64) {
    tree::node(id).unwrap_or((LOST, 0))
}

/// The innermost address of context `id` that is the program's, not that of
/// an intercepted function; 0 if it has none.
pub fn innermost(id: u32) -> u64 {
    match tree::node(id) {
        Some((callers, address)) if crate::intercept::is_stub(address) => {
            tree::node(callers).map_or(0, |(_, address)| address)
        }
        Some((_, address)) => address,
        None => 0,
    }
}

/// The addresses of context `id`, innermost first.
pub fn resolve(id: u32) -> Stack {
    let mut addresses = Vec::new();
    let mut at = id;
    let bottom = crate::intercept::bottom_address();
    let handlers = crate::signal::deliver::return_address();
    while let Some((parent, address)) = tree::node(at) {
        if address != bottom && address != handlers {
            addresses.push(address);
        }
        at = parent;
    }
    Stack {
        addresses,
        callers_lost: at == LOST,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contexts_are_interned_once_and_resolve_to_their_frames() {
        crate::init::for_tests();
        let zero = Frame {
            return_address: 0,
            context: 0,
        };
        let mut frames = [zero; 8];
        for (i, f) in frames.iter_mut().enumerate() {
            f.return_address = 0x1000 + i as u64;
        }
        let base = frames.as_mut_ptr();
        // SAFETY: both ends lie in the array.
        let (all, half) = unsafe { (context(base, base.add(8)), context(base, base.add(4))) };
        assert_eq!(resolve(half).addresses, [0x1003, 0x1002, 0x1001, 0x1000]);
        assert_eq!(resolve(all).addresses.len(), 8);
        assert!(!resolve(all).callers_lost);
        frames[3].context = 0;
        let base = frames.as_mut_ptr();
        // SAFETY: as above.
        let found_again = unsafe { context(base, base.add(4)) };
        assert_eq!(found_again, half);
    }
}
