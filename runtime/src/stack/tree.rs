//! The tree of calling contexts.
//!
//! Nodes are numbered in the order of their making and found again through
//! hash tables of chains. Insertion is one compare-and-swap on a chain's head;
//! nothing is ever removed, so readers need no lock.
//!
//! Most programs have some thousand contexts, recursive ones may have a hundred
//! million. A table for those would cost the others a page for each context, so
//! tables come in *generations*, each twice as large as the one before it: a
//! new context goes into the newest that the number of contexts calls for, and
//! the older ones stay as they are. A context is made after its caller's, so it
//! is in no generation before that one's: deep in a recursion that makes ever
//! new contexts, only the newest is looked through. Two threads that meet a context while a
//! generation begins may give it two numbers; both lead to the same callers.

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
/// Heads of hash chains in the first generation, 2^18: 1 MiB if all are
/// touched. It takes twice as many contexts, the others as many as they have
/// chains, so that heads are at most a quarter of what their nodes are.
const FIRST_BITS: u32 = 18;
/// Generations until all contexts are kept.
const GENERATIONS: u32 = FULL_CONTEXTS.ilog2() - FIRST_BITS + 1;
/// Heads of all generations.
const HEADS_OF_ALL: usize = ((1 << GENERATIONS) - 1) << FIRST_BITS;

static NODES: AtomicUsize = AtomicUsize::new(0);
static HEADS: AtomicUsize = AtomicUsize::new(0);
static NEXT: AtomicU32 = AtomicU32::new(LOST + 1);

/// Reserves the tables.
pub fn reserve() -> Result<(), os::Errno> {
    let nodes = os::map(LIMIT as usize * size_of::<Node>())?;
    let heads = os::map(HEADS_OF_ALL * size_of::<AtomicU32>())?;
    NODES.store(nodes as usize, Ordering::Relaxed);
    HEADS.store(heads as usize, Ordering::Release);
    Ok(())
}

fn node_at(id: u32) -> &'static Node {
    let base = NODES.load(Ordering::Relaxed) as *const Node;
    // SAFETY: ids come from `intern`, which stays below LIMIT.
    unsafe { &*base.add(id as usize) }
}

/// The generation that new contexts belong to when there are `count`.
fn generation(count: u32) -> u32 {
    (count.max(1).ilog2()).saturating_sub(FIRST_BITS)
}

/// The chain of `generation` for contexts with this hash.
fn head(generation: u32, hash: u64) -> &'static AtomicU32 {
    let base = HEADS.load(Ordering::Acquire) as *const AtomicU32;
    let before = ((1_usize << generation) - 1) << FIRST_BITS;
    let index = (hash >> (u64::BITS - FIRST_BITS - generation)) as usize;
    // SAFETY: the index is within the generation's table.
    unsafe { &*base.add(before + index) }
}

/// The context in the chain that begins with `first`.
#[inline]
fn find(first: u32, parent: u32, address: u64) -> Option<u32> {
    let mut at = first;
    while at != 0 {
        let node = node_at(at);
        if node.address.load(Ordering::Relaxed) == address
            && node.parent.load(Ordering::Relaxed) == parent
        {
            return Some(at);
        }
        at = node.next.load(Ordering::Relaxed);
    }
    None
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

#[inline]
fn hash(parent: u32, address: u64) -> u64 {
    (address ^ u64::from(parent).wrapping_mul(0xff51_afd7_ed55_8ccd))
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// The context of code address `address` called from `parent`.
pub fn intern(parent: u32, address: u64) -> u32 {
    let hash = hash(parent, address);
    let newest = generation(NEXT.load(Ordering::Relaxed));
    for older in generation(parent)..newest {
        let first = head(older, hash).load(Ordering::Acquire);
        if let Some(known) = find(first, parent, address) {
            return known;
        }
    }
    let head = head(newest, hash);
    let mut first = head.load(Ordering::Acquire);
    let mut fresh = 0;
    loop {
        if let Some(known) = find(first, parent, address) {
            return known;
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
const _: () = assert!(LIMIT.ilog2() - FIRST_BITS < GENERATIONS);

#[cfg(test)]
mod tests {
    use super::*;

    fn chain_length(generation: u32, hash: u64) -> usize {
        let mut at = head(generation, hash).load(Ordering::Acquire);
        let mut length = 0;
        while at != 0 {
            length += 1;
            at = node_at(at).next.load(Ordering::Relaxed);
        }
        length
    }

    #[test]
    fn a_generation_begins_when_the_one_before_is_full() {
        assert_eq!([0, 1, 1 << 18, (1 << 19) - 1].map(generation), [0; 4]);
        assert_eq!([1 << 19, (1 << 20) - 1].map(generation), [1; 2]);
        assert_eq!(generation(LIMIT - 1), GENERATIONS - 1);
    }

    /// The generation whose table has context `id`.
    fn home(id: u32) -> u32 {
        let (parent, address) = node(id).expect("a context");
        let newest = generation(NEXT.load(Ordering::Relaxed));
        let has = |at: &u32| {
            find(
                head(*at, hash(parent, address)).load(Ordering::Acquire),
                parent,
                address,
            )
            .is_some()
        };
        (0..=newest).find(has).expect("it is in a table")
    }

    /// Recursion makes contexts that have few addresses and many parents.
    #[test]
    fn many_contexts_are_found_again_in_short_chains() {
        crate::init::for_tests();
        let mut made = alloc::vec![ROOT];
        for i in 0..600_000_usize {
            let parent = made[i / 2];
            made.push(intern(parent, 0x7000_0000 + (i % 2) as u64 * 16));
        }
        for i in (0..600_000).step_by(977) {
            let parent = made[i / 2];
            assert_eq!(
                intern(parent, 0x7000_0000 + (i % 2) as u64 * 16),
                made[i + 1]
            );
        }
        for id in made[1..].iter().copied().step_by(997) {
            let (parent, _) = node(id).expect("a context");
            assert!(generation(parent) <= home(id));
        }
        let newest = generation(NEXT.load(Ordering::Relaxed));
        assert!(newest >= 1);
        for generation in 0..=newest {
            let longest = (0..4096_u64)
                .map(|i| chain_length(generation, i << 52))
                .max();
            assert!(longest < Some(20), "{generation}: {longest:?}");
        }
    }
}
