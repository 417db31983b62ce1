//! The tree of calling contexts.
//!
//! Nodes are numbered in the order of their making and found again through a
//! hash table of chains. Insertion is one compare-and-swap on a chain's head;
//! nothing is ever removed, so readers need no lock.

use super::{LOST, ROOT};
use crate::os;
use core::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};

/// One context.
#[repr(C)]
struct Node {
    /// Code address in the low 48 bits.
    address: AtomicU64,
    parent: AtomicU32,
    /// Next in the hash chain.
    next: AtomicU32,
}

/// Most contexts kept: 2^27 of 16 bytes are 2 GiB. From then on callers are
/// given up and only code addresses are interned, for which the rest is kept:
/// 2^24 of them, more than any program has access instructions.
const FULL_CONTEXTS: u32 = 1 << 27;
const LIMIT: u32 = FULL_CONTEXTS + (1 << 24);
/// Heads of the hash chains: 1 MiB if all are touched.
const BUCKETS: usize = 1 << 18;

static NODES: AtomicUsize = AtomicUsize::new(0);
static HEADS: AtomicUsize = AtomicUsize::new(0);
static NEXT: AtomicU32 = AtomicU32::new(LOST + 1);

/// Reserves the tables.
pub fn reserve() -> Result<(), os::Errno> {
    let nodes = os::map(LIMIT as usize * size_of::<Node>())?;
    let heads = os::map(BUCKETS * size_of::<AtomicU32>())?;
    NODES.store(nodes as usize, Ordering::Relaxed);
    HEADS.store(heads as usize, Ordering::Release);
    Ok(())
}

fn node_at(id: u32) -> &'static Node {
    let base = NODES.load(Ordering::Relaxed) as *const Node;
    // SAFETY: ids come from `intern`, which stays below LIMIT.
    unsafe { &*base.add(id as usize) }
}

fn head(hash: u64) -> &'static AtomicU32 {
    let base = HEADS.load(Ordering::Acquire) as *const AtomicU32;
    // SAFETY: the index is within the table.
    unsafe { &*base.add(hash as usize % BUCKETS) }
}

/// Parent and address of context `id`; `None` at the end of the way up.
pub(super) fn node(id: u32) -> Option<(u32, u64)> {
    if id <= LOST || id >= NEXT.load(Ordering::Acquire) {
        return None;
    }
    let node = node_at(id);
    Some((
        node.parent.load(Ordering::Relaxed),
        node.address.load(Ordering::Relaxed),
    ))
}

/// The context of code address `address` called from `parent`.
pub fn intern(parent: u32, address: u64) -> u32 {
    let hash = (address ^ u64::from(parent).rotate_left(40)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let head = head(hash >> 40);
    let mut first = head.load(Ordering::Acquire);
    let mut fresh = 0;
    loop {
        let mut at = first;
        while at != 0 {
            let node = node_at(at);
            if node.address.load(Ordering::Relaxed) == address
                && node.parent.load(Ordering::Relaxed) == parent
            {
                return at;
            }
            at = node.next.load(Ordering::Relaxed);
        }
        if fresh == 0 {
            fresh = match claim(parent) {
                Claim::Node(id) => id,
                Claim::WithoutCallers => return intern(LOST, address),
                Claim::Nothing => return LOST,
            };
            node_at(fresh).address.store(address, Ordering::Relaxed);
            node_at(fresh).parent.store(parent, Ordering::Relaxed);
        }
        node_at(fresh).next.store(first, Ordering::Relaxed);
        match head.compare_exchange_weak(first, fresh, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => return fresh,
            Err(now) => first = now,
        }
    }
}

enum Claim {
    Node(u32),
    WithoutCallers,
    Nothing,
}

fn claim(parent: u32) -> Claim {
    let limit = if parent == LOST { LIMIT } else { FULL_CONTEXTS };
    let claimed = NEXT.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| {
        (n < limit).then_some(n + 1)
    });
    match claimed {
        Ok(id) => Claim::Node(id),
        Err(_) if parent == LOST => Claim::Nothing,
        Err(_) => Claim::WithoutCallers,
    }
}

const _: () = assert!(ROOT != 0 && LOST > ROOT);
