//! The function call whose stack frame holds an address.
//!
//! The shadow call stack says which return addresses a thread's real stack
//! holds, and the first of them above an address is that of the call whose
//! frame the address is in. In which function that is follows from the next
//! inner return address; the innermost one is known by the access that is
//! being reported, by an earlier access from the same call, or, if the thread
//! is blocked, by the call that it is blocked in.

use super::registry;
use crate::{internal_error, os};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

/// Bytes above the address that are searched; larger frames stay unknown.
const LARGEST: usize = 64 << 10;

/// Words below the address that may be return addresses.
const CANDIDATES: usize = 256;

/// How often a thread that runs is looked at again, to see where it blocks.
const PATIENCE: u32 = 10;

/// There is no code below this address.
const CODE: u64 = 1 << 16;

/// Return addresses of a thread that are looked at.
const DEEPEST: usize = 4096;

/// A call that has not returned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Activation {
    /// Where the caller's frame ends and this one's begins: the address behind
    /// the return address, which DWARF calls the canonical frame address.
    pub(crate) frame: u64,
    /// Where the function is, or was.
    pub(crate) codes: Vec<u64>,
    /// Words of the stack of which the first that is in the function is where
    /// it is at the moment.
    pub(crate) guesses: Vec<u64>,
    /// Where the function begins, if that is known.
    pub(crate) entry: Option<u64>,
}

/// What a thread's shadow call stack says.
pub(super) struct Calls {
    /// Return addresses, innermost first.
    pub(super) returns: Vec<u64>,
    pub(super) os_id: u32,
}

/// The call of thread `number` whose frame holds `address`. `innermost` is an
/// address in its innermost function, if that is known for sure; `earlier` is
/// the stack of an access that the thread made before.
pub(crate) fn holding(
    address: u64,
    number: u32,
    innermost: Option<u64>,
    earlier: &[u64],
) -> Option<Activation> {
    let calls = registry::calls(number, DEEPEST)?;
    let (slot, value) = first_return(address, &calls.returns)?;
    let depth = calls.returns.iter().position(|other| *other == value)?;
    let exact = match depth.checked_sub(1) {
        // The return address of the call it makes.
        Some(inner) => Some(calls.returns[inner].checked_sub(1)?),
        None => innermost,
    };
    let entry = called_before(value);
    let mut codes: Vec<u64> = exact.into_iter().collect();
    codes.extend(called_from(earlier, &calls.returns[depth..]));
    // Of the outermost function nothing else of the program is on the stack;
    // of others the words there have to be told apart.
    let guesses = match exact {
        None if entry.is_some() || calls.returns.len() == 1 => blocked_in(&calls, address),
        _ => None,
    };
    Some(Activation {
        frame: slot + 8,
        codes,
        guesses: guesses.unwrap_or_default(),
        entry: entry.filter(|_| exact.is_none()),
    })
}

/// Where the call that returns to the first of `returns` was when the stack was
/// `stack`, if it was called by the same calls.
fn called_from(stack: &[u64], returns: &[u64]) -> Option<u64> {
    let value = returns.first()?;
    let inner = stack.iter().zip(stack.get(1..)?).enumerate();
    let mut calls = inner.filter(|(_, (_, caller))| *caller == value);
    let (_, (code, _)) = calls.find(|(at, _)| returns.starts_with(&stack[at + 1..]))?;
    code.checked_sub(1)
}

/// The function that the call before the return address `address` calls, if
/// the instruction says it.
fn called_before(address: u64) -> Option<u64> {
    const CALL: u8 = 0xe8;
    let mut code = [0; 5];
    let read = os::read_memory(address.checked_sub(5)?, &mut code);
    let [CALL, distance @ ..] = code else {
        return None;
    };
    let distance = i64::from(i32::from_le_bytes(distance));
    (read == code.len()).then(|| address.wrapping_add_signed(distance))
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

/// Words on the stack of a thread that is blocked, from below `address` down:
/// the return address of the call that it is blocked in is among them.
fn blocked_in(calls: &Calls, address: u64) -> Option<Vec<u64>> {
    let path = format!("/proc/self/task/{}/syscall", calls.os_id);
    let mut patience = PATIENCE;
    let text = loop {
        let text = os::File::open(path.as_bytes()).ok()?.read_to_end().ok()?;
        if text.starts_with(b"running") && patience > 0 {
            // Who has just created threads is about to wait for them.
            patience -= 1;
            internal_error::leave_if_off();
            os::sleep_us(100);
            continue;
        }
        break text;
    };
    let text = core::str::from_utf8(&text).ok()?;
    // Number, six arguments, stack pointer, program counter.
    let stack = text.split_whitespace().nth(7)?.strip_prefix("0x")?;
    let stack = u64::from_str_radix(stack, 16).ok()?;
    let stack = stack.checked_next_multiple_of(8)?;
    let length = address
        .checked_sub(stack)
        .filter(|length| *length <= LARGEST as u64)?;
    let mut room = vec![0; length as usize];
    let got = os::read_memory(stack, &mut room);
    let words = room[..got].chunks_exact(8).rev();
    let words = words.map(|word| word.try_into().map_or(0, u64::from_le_bytes));
    Some(
        words
            .filter(|word| *word > CODE)
            .map(|word| word - 1)
            .take(CANDIDATES)
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::called_from;

    #[test]
    fn an_earlier_stack_of_the_same_calls() {
        let returns = [30, 20, 10];
        assert_eq!(called_from(&[51, 40, 30, 20, 10], &returns), Some(39));
        // What is not the program's is left out of stacks.
        assert_eq!(called_from(&[51, 30, 20], &returns), Some(50));
        assert_eq!(called_from(&[51, 30, 21, 10], &returns), None);
        assert_eq!(called_from(&[51, 40, 20, 10], &returns), None);
        assert_eq!(called_from(&[], &returns), None);
        let recursive = [30, 30, 10];
        assert_eq!(called_from(&[51, 30, 30, 30, 10], &recursive), Some(29));
    }
}
