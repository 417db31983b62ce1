//! File descriptors: message channels, and objects that can be raced for.
//!
//! Every descriptor number has a word. It remembers which [`channel`]s the
//! descriptor stands for, once [`resolve`] has found out; and its address
//! stands for the descriptor in the shadow: using a descriptor reads the word,
//! opening and closing write it, so that a thread which closes what another
//! still uses is found like any other race, with both stacks.
//!
//! That a number comes back after a close is an order as well: whoever gets it
//! from the kernel comes after whoever gave it up.

mod resolve;
pub(crate) mod watch;

use crate::access;
use crate::finding::Act;
use crate::heap;
use crate::os;
use crate::signal;
use crate::sync::channel::{self, Channel, Class};
use crate::sync::events;
use crate::thread;
use core::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use resolve::Name;

/// Numbers that are kept track of: as many as the kernel gives a process
/// unless it is told otherwise (`fs.nr_open`).
const LIMIT: usize = 1 << 20;

/// In the memory of the program, where there is shadow; costs what is touched.
static WORDS: [AtomicU64; LIMIT] = [const { AtomicU64::new(UNKNOWN) }; LIMIT];

/// Nothing is known; it has to be asked for.
const UNKNOWN: u64 = 0;
/// The descriptor was closed, as far as seen.
const CLOSED: u64 = 1;
/// It is known; what follows are the channels.
const KNOWN: u64 = 2;
const STATE: u64 = 3;
/// A channel's bits, plus one: 0 is none.
const CHANNEL_BITS: u32 = 24;
const CHANNEL: u64 = (1 << CHANNEL_BITS) - 1;
const IN_SHIFT: u32 = 8;
const OUT_SHIFT: u32 = IN_SHIFT + CHANNEL_BITS;

/// The channels of a descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ends {
    /// What comes in.
    pub(crate) inward: Option<Channel>,
    /// What goes out.
    pub(crate) outward: Option<Channel>,
}

impl Ends {
    const NONE: Ends = Ends {
        inward: None,
        outward: None,
    };

    fn pack(self) -> u64 {
        let bits = |channel: Option<Channel>| channel.map_or(0, |c| u64::from(c.bits()) + 1);
        KNOWN | bits(self.inward) << IN_SHIFT | bits(self.outward) << OUT_SHIFT
    }

    fn unpack(word: u64) -> Ends {
        let channel = |shift: u32| {
            let bits = (word >> shift & CHANNEL) as u32;
            bits.checked_sub(1).map(Channel::from_bits)
        };
        Ends {
            inward: channel(IN_SHIFT),
            outward: channel(OUT_SHIFT),
        }
    }
}

fn word(fd: i32) -> Option<&'static AtomicU64> {
    WORDS.get(usize::try_from(fd).ok()?)
}

/// The descriptor that `addr` stands for in the shadow.
pub(crate) fn at_address(addr: usize) -> Option<u32> {
    let offset = addr.checked_sub(WORDS.as_ptr().addr())?;
    (offset < size_of_val(&WORDS)).then_some((offset / 8) as u32)
}

/// What `fd` stands for.
fn ends(fd: i32) -> Ends {
    let Some(word) = word(fd) else {
        return resolve::ends(fd).unwrap_or(Ends::NONE);
    };
    let value = word.load(Ordering::Relaxed);
    if value & STATE == KNOWN {
        return Ends::unpack(value);
    }
    match resolve::ends(fd) {
        Some(ends) => {
            word.store(ends.pack(), Ordering::Relaxed);
            ends
        }
        None => Ends::NONE,
    }
}

/// The highest number that was given out, as far as seen.
static HIGHEST: AtomicUsize = AtomicUsize::new(2);

/// The number of a descriptor as a channel, from its end to its next use.
fn number(fd: i32) -> Channel {
    Channel::new(Class::Number, fd as u64)
}

/// A descriptor that was closed, and is open all the same, was made by a call
/// that nobody saw.
fn reopened_unseen(word: &AtomicU64, fd: i32) -> bool {
    let reopened = word.load(Ordering::Relaxed) & STATE == CLOSED && os::file_status(fd).is_some();
    if reopened {
        word.store(UNKNOWN, Ordering::Relaxed);
        heap::forget(word.as_ptr().addr(), 8);
    }
    reopened
}

// The callers of the following have entered the runtime.

/// A call at `pc` uses `fd`.
pub(crate) fn used(fd: i32, pc: usize) {
    if let Some(word) = word(fd)
        && !thread::alone()
        && !reopened_unseen(word, fd)
    {
        access::read_range(word.as_ptr().addr(), 8, pc);
    }
}

/// A call at `pc` is about to send through `fd`.
pub(crate) fn sending(fd: i32, pc: usize) {
    if fd < 0 || thread::alone() {
        return;
    }
    used(fd, pc);
    if let Some(channel) = ends(fd).outward {
        channel::send(channel);
        note(Act::Send, fd);
    }
}

/// A call at `pc` is about to shut down ways of `fd`: the other end hears that
/// nothing more will come, and so does whoever waits at this one.
pub(crate) fn shutting_down(fd: i32, how: i32, pc: usize) {
    if fd < 0 || thread::alone() {
        return;
    }
    used(fd, pc);
    let Ends { inward, outward } = ends(fd);
    let ways = [
        inward.filter(|_| how != libc::SHUT_WR),
        outward.filter(|_| how != libc::SHUT_RD),
    ];
    for channel in ways.into_iter().flatten() {
        channel::send(channel);
        note(Act::Send, fd);
    }
}

/// The calling thread was ordered through `fd` by a call that is on its shadow
/// call stack.
fn note(act: Act, fd: i32) {
    if let Some(me) = thread::listening() {
        events::note(me, act, fd as usize, 0);
    }
}

/// A call has received through `fd`.
pub(crate) fn received(fd: i32) {
    if fd < 0 || thread::alone() {
        return;
    }
    let Ends { inward, outward } = ends(fd);
    if let Some(channel) = inward {
        let back = outward.filter(|back| *back != channel);
        channel::receive_from_peer(channel, back);
        note(Act::Receive, fd);
    }
}

/// A call at `pc` is about to send a datagram to an address, or to whatever
/// `fd` is connected to if there is none.
///
/// # Safety
/// `address` must be null or readable for `len` bytes.
pub(crate) unsafe fn sending_to(fd: i32, address: *const u8, len: usize, pc: usize) {
    // SAFETY: passed on.
    let name = unsafe { Name::of_program(address, len) };
    if name.is_empty() || os::socket_type(fd) != libc::SOCK_DGRAM {
        return sending(fd, pc);
    }
    used(fd, pc);
    channel::send(name.datagrams());
    // Sending gives a socket an address of its own.
    forget_ends(fd);
}

/// A call at `pc` got the new descriptor `fd`.
pub(crate) fn opened(fd: i32, pc: usize) {
    let Some(word) = word(fd) else { return };
    HIGHEST.fetch_max(fd as usize, Ordering::Relaxed);
    word.store(UNKNOWN, Ordering::Relaxed);
    channel::receive(number(fd));
    heap::forget(word.as_ptr().addr(), 8);
    access::write_range(word.as_ptr().addr(), 8, pc);
}

/// As [`opened`], for something that has no name and is like no other.
pub(crate) fn opened_anonymous(fd: i32, pc: usize) {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let fresh = Channel::new(Class::Anonymous, NEXT.fetch_add(1, Ordering::Relaxed));
    opened_as(fd, fresh, pc);
    watch::opened(fd);
}

/// As [`opened`], for what signals are read from.
pub(crate) fn opened_signals(fd: i32, pc: usize) {
    opened_as(fd, signal::any(), pc);
}

fn opened_as(fd: i32, channel: Channel, pc: usize) {
    opened(fd, pc);
    if let Some(word) = word(fd) {
        let both = Ends {
            inward: Some(channel),
            outward: Some(channel),
        };
        word.store(both.pack(), Ordering::Relaxed);
    }
}

/// As [`opened`], for two sockets that are connected to each other.
pub(crate) fn opened_pair(fds: [i32; 2], pc: usize) {
    fds.iter().for_each(|fd| opened(*fd, pc));
    if let Some(ends) = resolve::pair(fds) {
        for (fd, ends) in fds.into_iter().zip(ends) {
            if let Some(word) = word(fd) {
                word.store(ends.pack(), Ordering::Relaxed);
            }
        }
    }
}

/// A call at `pc` made `copy` another name for `fd`; a new one if `fresh`.
pub(crate) fn duplicated(fd: i32, copy: i32, fresh: bool, pc: usize) {
    let ends = ends(fd);
    if fresh {
        opened(copy, pc);
    } else {
        // Putting another file in the place of one in use is what careful
        // programs do instead of closing it.
        used(copy, pc);
    }
    if let Some(word) = word(copy) {
        HIGHEST.fetch_max(copy as usize, Ordering::Relaxed);
        word.store(ends.pack(), Ordering::Relaxed);
    }
}

/// A process is about to be made, which may send through all that is open. What
/// is found out is not kept: another thread may be closing what it is about.
pub(crate) fn inherited() {
    let highest = HIGHEST.load(Ordering::Relaxed);
    for (fd, word) in (0..).zip(&WORDS[..=highest]) {
        let word = word.load(Ordering::Relaxed);
        let ends = match word & STATE {
            KNOWN => Some(Ends::unpack(word)),
            UNKNOWN => resolve::ends(fd),
            _ => None,
        };
        if let Some(channel) = ends.and_then(|ends| ends.outward) {
            channel::send(channel);
        }
    }
}

/// What was found out about `fd` no longer holds: it was bound or connected.
pub(crate) fn forget_ends(fd: i32) {
    if let Some(word) = word(fd) {
        word.store(UNKNOWN, Ordering::Relaxed);
    }
}

/// A call at `pc` is about to close `fd`: the other end will see that.
pub(crate) fn closing(fd: i32, pc: usize) {
    let Some(word) = word(fd) else { return };
    reopened_unseen(word, fd);
    access::write_range(word.as_ptr().addr(), 8, pc);
    if !thread::alone()
        && let Some(channel) = ends(fd).outward
    {
        channel::send(channel);
    }
    channel::send(number(fd));
    word.store(CLOSED, Ordering::Relaxed);
}

/// All of `first..=last` are about to be closed; nobody is held to have used
/// one of them at the same time.
pub(crate) fn closed_unseen_range(first: u32, last: u32) {
    let first = (first as usize).min(LIMIT);
    let end = (last as usize).saturating_add(1).clamp(first, LIMIT);
    let seen = WORDS[first..end]
        .iter()
        .filter(|word| word.load(Ordering::Relaxed) != UNKNOWN);
    for word in seen {
        word.store(UNKNOWN, Ordering::Relaxed);
        heap::forget(word.as_ptr().addr(), 8);
    }
}

/// A call at `pc` is about to connect `fd` to an address.
///
/// # Safety
/// As [`sending_to`].
pub(crate) unsafe fn connecting(fd: i32, address: *const u8, len: usize, pc: usize) {
    used(fd, pc);
    // SAFETY: passed on.
    let name = unsafe { Name::of_program(address, len) };
    channel::send(name.listener());
    forget_ends(fd);
}

/// A call at `pc` accepted a connection that was made to `listener`.
pub(crate) fn accepted(listener: i32, fd: i32, pc: usize) {
    if !thread::alone() {
        channel::receive(resolve::listener(listener));
    }
    opened(fd, pc);
}

/// Keeps everybody else out until the process has forked.
pub(crate) fn before_fork() {
    watch::before_fork();
}

/// Opens what [`before_fork`] closed, in parent and child.
///
/// # Safety
/// As [`crate::spin::SpinLock::force_unlock`].
pub(crate) unsafe fn after_fork() {
    // SAFETY: passed on.
    unsafe { watch::after_fork() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_holds_both_ends() {
        let a = Channel::new(Class::Library, channel::LIMIT - 1);
        let b = Channel::new(Class::File, 0);
        for ends in [
            Ends::NONE,
            Ends {
                inward: Some(a),
                outward: Some(b),
            },
            Ends {
                inward: None,
                outward: Some(a),
            },
        ] {
            assert_eq!(ends.pack() & STATE, KNOWN);
            assert_eq!(Ends::unpack(ends.pack()), ends);
        }
    }

    #[test]
    fn addresses_of_words_name_descriptors() {
        let address = |fd: usize| WORDS[fd].as_ptr().addr();
        assert_eq!(at_address(address(0)), Some(0));
        assert_eq!(at_address(address(5)), Some(5));
        assert_eq!(at_address(address(LIMIT - 1) + 8), None);
        assert_eq!(at_address(address(0) - 8), None);
        assert!(word(-1).is_none());
    }
}
