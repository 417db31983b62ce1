//! The live threads as they are now.
//!
//! Nobody is stopped or asked. What belongs to a thread alone is copied while
//! the registry keeps the thread from going away, and by the kernel, so that
//! memory which changes at that moment gives odd values at worst; those are
//! recognised. Where a blocked thread is, the kernel says.

use crate::intercept;
use crate::lock::held::{HeldLocks, Taken};
use crate::lock::wait::{self, Wait};
use crate::os::{self, File};
use crate::signal::deliver;
use crate::symbol::unwind::Position;
use crate::thread::registry;
use crate::tls::{Block, Frame};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// Frames of a thread that are shown.
pub(crate) const DEEPEST: usize = 256;

/// A live thread.
pub(crate) struct Seen {
    pub(crate) number: u32,
    /// Return addresses of instrumented functions, innermost first.
    pub(crate) frames: Vec<u64>,
    /// Where it is, unless it runs.
    pub(crate) place: Option<Position>,
    /// The system call it is in.
    pub(crate) call: Option<u32>,
    /// The locks it holds; `None` if they change too fast to be read.
    pub(crate) held: Option<Vec<Taken>>,
    /// What it waits for.
    pub(crate) waits: Option<Wait>,
}

/// What a thread's own memory says.
struct Copied {
    number: u32,
    os_id: u32,
    frames: Vec<u64>,
    held: Option<Vec<Taken>>,
    waits: Option<Wait>,
}

/// All live threads; `at` is where the calling one is.
pub(crate) fn all(at: Position) -> Vec<Seen> {
    let mut copied = Vec::new();
    registry::each_live(|number, os_id, block| copied.extend(copy(number, os_id, block)));
    let listed = wait::listed();
    let me = os::gettid();
    let seen = copied.into_iter().map(|mut thread| {
        let known = listed.iter().find(|(number, _)| *number == thread.number);
        thread.waits = known.map(|(_, wait)| *wait).or(thread.waits);
        let (place, call) = match blocked(thread.os_id) {
            _ if thread.os_id == me => (Some(at), None),
            Some((place, call)) => (Some(place), call),
            None => (None, None),
        };
        Seen {
            number: thread.number,
            frames: thread.frames,
            place,
            call,
            held: thread.held,
            waits: thread.waits,
        }
    });
    seen.collect()
}

fn copy(number: u32, os_id: u32, block: *const Block) -> Option<Copied> {
    // SAFETY: the registry keeps the thread while this looks; its words are
    // read as they are.
    let (thread, top) = unsafe {
        (
            (&raw const (*block).thread).read_volatile().as_ref()?,
            (&raw const (*block).frames).read_volatile(),
        )
    };
    Some(Copied {
        number,
        os_id,
        frames: frames(thread.lowest_frame(), top),
        // SAFETY: as above.
        held: unsafe { HeldLocks::peek(&raw const thread.held) },
        waits: thread.waits.noted(),
    })
}

/// The return addresses of a shadow call stack, innermost first.
fn frames(base: *mut Frame, top: *mut Frame) -> Vec<u64> {
    let depth = (top.addr().saturating_sub(base.addr()) / size_of::<Frame>()).min(DEEPEST);
    let start = top.wrapping_sub(depth);
    let mut words = alloc::vec![0u64; depth * size_of::<Frame>() / 8];
    // SAFETY: as many bytes as there are words.
    let bytes = unsafe {
        core::slice::from_raw_parts_mut(words.as_mut_ptr().cast::<u8>(), words.len() * 8)
    };
    let got = os::read_memory(start.addr() as u64, bytes) / size_of::<Frame>();
    let unseen = [intercept::bottom_address(), deliver::return_address(), 0];
    let addresses = words.chunks_exact(2).take(got).map(|frame| frame[0]);
    let mut addresses: Vec<u64> = addresses.filter(|a| !unseen.contains(a)).collect();
    addresses.reverse();
    addresses
}

/// Where thread `os_id` is, and in which system call, if it is in one.
fn blocked(os_id: u32) -> Option<(Position, Option<u32>)> {
    let path = format!("/proc/self/task/{os_id}/syscall");
    let text = File::open(path.as_bytes()).ok()?.read_to_end().ok()?;
    parse(&String::from_utf8_lossy(&text))
}

/// `NUMBER ARGUMENT... SP PC`, or less.
fn parse(text: &str) -> Option<(Position, Option<u32>)> {
    let mut words = text.split_whitespace();
    let hex = |word: &str| u64::from_str_radix(word.strip_prefix("0x")?, 16).ok();
    let pc = hex(words.next_back()?)?;
    let sp = hex(words.next_back()?)?;
    let call = words.next()?.parse().ok();
    Some((Position::new(pc, sp), call))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_kernel_says() {
        let (place, call) = parse("202 0x1 0x80 0x0 0x0 0x0 0x0 0x7ffc10 0x55aa20\n").unwrap();
        assert_eq!((place.pc, call), (0x55aa20, Some(202)));
        let (place, call) = parse("-1 0x7ffc10 0x55aa20\n").unwrap();
        assert_eq!((place.pc, call), (0x55aa20, None));
        assert!(parse("running\n").is_none());
        assert!(parse("").is_none());
    }
}
