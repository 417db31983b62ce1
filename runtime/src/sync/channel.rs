//! Channels: what was done before a message was sent happens before what is
//! done after it was received.
//!
//! A channel is a number that sender and receiver work out for themselves (see
//! [`crate::descriptor`]); it takes no memory of the program, so it has no
//! address. Numbers are drawn from ranges that are bounded, so a server that
//! runs for years keeps a bounded number of channels: two that share a number
//! are ordered more than they need to be, and nothing else.

use super::table;
use crate::thread;

/// What kind of thing a channel belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// A file, device or pipe: by device and inode.
    File = 0,
    /// One direction of a socket: by the addresses at its ends.
    Socket = 1,
    /// A listening socket: by its address.
    Listener = 2,
    /// Something without a name, such as an event counter: in the order of
    /// creation.
    Anonymous = 3,
    /// The number of a descriptor: from its end to its next use.
    Number = 4,
    /// A signal, by number.
    Signal = 5,
    /// A lock or object inside libc, by address.
    Library = 6,
    /// Something of the system's that has a number.
    System = 7,
}

/// How many channels of a class can be told apart.
pub const LIMIT: u64 = 1 << 20;

/// A channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Channel(u32);

impl Channel {
    /// Channel number `number` of a class.
    pub const fn new(class: Class, number: u64) -> Channel {
        Channel((class as u32) << 20 | (number % LIMIT) as u32)
    }

    /// From whoever makes a process to whoever waits for one.
    pub const CHILDREN: Channel = Channel::new(Class::System, 0);

    /// From whoever has libc call a function on a thread of its own to threads
    /// that nobody saw begin.
    pub const STRANGERS: Channel = Channel::new(Class::System, 1);

    /// A queue of System V.
    pub const fn queue(id: i32) -> Channel {
        Channel::new(Class::System, 2 + 3 * id as u64)
    }

    /// A semaphore of the set `id` of System V.
    pub const fn counter(id: i32, index: u32) -> Channel {
        Channel::new(Class::System, 3 + 3 * (id as u64 ^ (index as u64) << 10))
    }

    /// From whoever lowers such a semaphore to whoever waits until it is zero.
    pub const fn lowered(id: i32, index: u32) -> Channel {
        Channel::new(Class::System, 4 + 3 * (id as u64 ^ (index as u64) << 10))
    }

    /// From [`Channel::bits`].
    pub const fn from_bits(bits: u32) -> Channel {
        Channel(bits)
    }

    /// 23 bits that stand for it.
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// An address that no memory has, for the table of sync objects; each
    /// channel has a line of that table to itself.
    fn key(self) -> usize {
        1 << 63 | (self.0 as usize) << 6
    }
}

/// The calling thread is about to send. It has entered the runtime.
pub fn send(channel: Channel) {
    thread::synchronise(|me| {
        if let Some(object) = table::find_or_make(channel.key()) {
            me.recorder.release_join(&mut object.lock().released);
        }
    });
}

/// Says of a channel that somebody in this process has received from it.
const HEARD: u16 = 1;

/// As [`receive`], from a channel whose sender may be another process; there may
/// be one that leads back.
///
/// What comes from another process may be the answer to what was sent to it. It
/// is taken for that if nobody here receives what is sent to the other side.
pub fn receive_from_peer(channel: Channel, back: Option<Channel>) {
    thread::synchronise(|me| {
        if let Some(object) = table::find_or_make(channel.key()) {
            let mut state = object.lock();
            state.writer = HEARD;
            me.recorder.acquire(&state.released);
        }
        if let Some(object) = back.and_then(|back| table::find(back.key())) {
            let state = object.lock();
            if state.writer != HEARD {
                me.recorder.acquire(&state.released);
            }
        }
    });
}

/// The calling thread has received. It has entered the runtime.
pub fn receive(channel: Channel) {
    thread::synchronise(|me| {
        if let Some(object) = table::find(channel.key()) {
            me.recorder.acquire(&object.lock().released);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn channels_are_told_apart() {
        let all = [
            Channel::new(Class::File, 0),
            Channel::new(Class::File, LIMIT - 1),
            Channel::new(Class::Socket, 0),
            Channel::new(Class::Library, 7),
        ];
        for (i, a) in all.iter().enumerate() {
            assert_eq!(Channel::from_bits(a.bits()), *a);
            assert!(a.bits() < 1 << 23);
            assert!(all[i + 1..].iter().all(|b| a.key() != b.key()));
        }
        assert_eq!(Channel::new(Class::File, LIMIT), all[0]);
    }
}
