//! The function call whose stack frame holds an address.
//!
//! The shadow call stack says which return addresses a thread's real stack
//! holds, and the first of them above an address is that of the call whose
//! frame the address is in. In which function that is follows from the next
//! inner return address; the innermost one is known by the access that is
//! being reported, or by the library call that the thread is blocked in, if it
//! still is.

use super::registry;
use crate::os;
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

/// Bytes above the address that are searched; larger frames stay unknown.
const LARGEST: usize = 64 << 10;

/// Return addresses of a thread that are looked at.
const DEEPEST: usize = 4096;

/// A call that has not returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Activation {
    /// Where the caller's frame ends and this one's begins: the address behind
    /// the return address, which DWARF calls the canonical frame address.
    pub(crate) frame: u64,
    /// An address in the function, where it is at the moment.
    pub(crate) code: u64,
}

/// What a thread's shadow call stack says.
pub(super) struct Calls {
    /// Return addresses, innermost first.
    pub(super) returns: Vec<u64>,
    /// Return address of the library call it made last.
    pub(super) caller: u64,
    pub(super) os_id: u32,
}

/// The call of thread `number` whose frame holds `address`. `innermost` is an
/// address in its innermost function, if that is known for sure.
pub(crate) fn holding(address: u64, number: u32, innermost: Option<u64>) -> Option<Activation> {
    let calls = registry::calls(number, DEEPEST)?;
    let (slot, value) = first_return(address, &calls.returns)?;
    let depth = calls.returns.iter().position(|other| *other == value)?;
    let code = match depth.checked_sub(1) {
        // The return address of the call it makes.
        Some(inner) => calls.returns[inner].checked_sub(1)?,
        None => innermost.or_else(|| blocked_in(&calls, address))?,
    };
    Some(Activation {
        frame: slot + 8,
        code,
    })
}

/// The first word above `address` that is one of `returns`, and where it is.
fn first_return(address: u64, returns: &[u64]) -> Option<(u64, u64)> {
    let start = address.checked_next_multiple_of(8)?;
    let mut room = vec![0; LARGEST];
    let got = os::read_memory(start, &mut room);
    let words = room[..got].chunks_exact(8);
    let words = words.map(|word| word.try_into().map_or(0, u64::from_le_bytes));
    let found = words
        .enumerate()
        .find(|(_, word)| *word != 0 && returns.contains(word));
    found.map(|(at, word)| (start + 8 * at as u64, word))
}

/// The address of the library call that the thread is blocked in.
fn blocked_in(calls: &Calls, below: u64) -> Option<u64> {
    let path = format!("/proc/self/task/{}/syscall", calls.os_id);
    let text = os::File::open(path.as_bytes()).ok()?.read_to_end().ok()?;
    let text = core::str::from_utf8(&text).ok()?;
    // Number, six arguments, stack pointer, program counter; or "running".
    let stack = text.split_whitespace().nth(7)?.strip_prefix("0x")?;
    let stack = u64::from_str_radix(stack, 16).ok()?;
    let length = below
        .checked_sub(stack)
        .filter(|length| *length <= LARGEST as u64)?;
    let (_, _) = first_return(stack, &[calls.caller]).filter(|(at, _)| *at < stack + length)?;
    calls.caller.checked_sub(1)
}
