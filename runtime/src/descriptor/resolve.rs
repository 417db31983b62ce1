//! Which channels a descriptor stands for.
//!
//! Both ends must come to the same answer without talking to each other, and a
//! descriptor may have been made by a call nobody saw. So the answer is made
//! from what the kernel says: a pipe or file is its inode, a connection the
//! addresses at its two ends, in the order sender, receiver. A datagram goes to
//! an address, whoever sends it.

use super::Ends;
use crate::os::{self, FileStatus, SOCKET_ADDRESS, Side};
use crate::sync::channel::{Channel, Class};

/// The address of a socket, as far as the other end sees it the same way: an
/// internet address is its port, because one host has many addresses.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Name {
    bytes: [u8; SOCKET_ADDRESS],
    len: usize,
}

impl Name {
    fn of_socket(fd: i32, side: Side) -> Name {
        let mut bytes = [0; SOCKET_ADDRESS];
        let len = os::socket_address(fd, side, &mut bytes);
        Name { bytes, len }.reduced()
    }

    /// The name in a `sockaddr` of the program's.
    ///
    /// # Safety
    /// `address` must be null or readable for `len` bytes.
    pub(super) unsafe fn of_program(address: *const u8, len: usize) -> Name {
        let mut bytes = [0; SOCKET_ADDRESS];
        let len = if address.is_null() {
            0
        } else {
            len.min(SOCKET_ADDRESS)
        };
        // SAFETY: passed on.
        unsafe { core::ptr::copy_nonoverlapping(address, bytes.as_mut_ptr(), len) };
        Name { bytes, len }.reduced()
    }

    fn reduced(mut self) -> Name {
        let family = i32::from(u16::from_ne_bytes([self.bytes[0], self.bytes[1]]));
        match family {
            libc::AF_INET | libc::AF_INET6 if self.len >= 4 => {
                self.bytes = {
                    let mut port = [0; SOCKET_ADDRESS];
                    port[..2].copy_from_slice(&self.bytes[2..4]);
                    port
                };
                self.len = 2;
            }
            libc::AF_UNIX if self.len > 2 && self.bytes[2] != 0 => {
                let path = &self.bytes[2..self.len];
                let end = path.iter().position(|b| *b == 0).unwrap_or(path.len());
                self.len = 2 + end;
            }
            libc::AF_UNIX if self.len <= 2 => self.len = 0,
            _ => {}
        }
        self
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len == 0
    }

    fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    /// Where datagrams to this address go.
    pub(super) fn datagrams(&self) -> Channel {
        named(Class::Socket, &[b"datagram", self.bytes()])
    }

    /// Where connections to this address are made.
    pub(super) fn listener(&self) -> Channel {
        named(Class::Listener, &[self.bytes()])
    }
}

/// FNV-1a over the parts, each with its length.
fn named(class: Class, parts: &[&[u8]]) -> Channel {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    let mut add = |byte: u8| hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    for part in parts {
        add(part.len() as u8);
        part.iter().copied().for_each(&mut add);
    }
    Channel::new(class, hash ^ hash >> 40)
}

/// Works out what `fd` stands for; `None` if it is not open.
pub(super) fn ends(fd: i32) -> Option<Ends> {
    let status = os::file_status(fd)?;
    Some(match status.mode & libc::S_IFMT {
        libc::S_IFREG | libc::S_IFIFO => both(inode(status)),
        libc::S_IFSOCK => socket(fd),
        // Terminals and devices carry nothing from thread to thread, nor do
        // folders.
        libc::S_IFCHR | libc::S_IFBLK | libc::S_IFDIR | libc::S_IFLNK => Ends::NONE,
        _ => both(Channel::new(Class::Anonymous, !(fd as u64))),
    })
}

fn both(channel: Channel) -> Ends {
    Ends {
        inward: Some(channel),
        outward: Some(channel),
    }
}

fn inode(status: FileStatus) -> Channel {
    let (device, inode) = (status.device.to_le_bytes(), status.inode.to_le_bytes());
    named(Class::File, &[&device, &inode])
}

fn socket(fd: i32) -> Ends {
    let (own, peer) = (
        Name::of_socket(fd, Side::Own),
        Name::of_socket(fd, Side::Peer),
    );
    if os::socket_type(fd) == libc::SOCK_DGRAM {
        return Ends {
            inward: (!own.is_empty()).then(|| own.datagrams()),
            outward: (!peer.is_empty()).then(|| peer.datagrams()),
        };
    }
    let towards =
        |from: &Name, to: &Name| named(Class::Socket, &[b"stream", from.bytes(), to.bytes()]);
    Ends {
        inward: Some(towards(&peer, &own)),
        outward: Some(towards(&own, &peer)),
    }
}

/// The two ends of a pair of sockets, which have no addresses.
pub(super) fn pair(fds: [i32; 2]) -> Option<[Ends; 2]> {
    let [a, b] = [
        inode(os::file_status(fds[0])?),
        inode(os::file_status(fds[1])?),
    ];
    let ends = |inward, outward| Ends {
        inward: Some(inward),
        outward: Some(outward),
    };
    Some([ends(b, a), ends(a, b)])
}

/// Where a listening socket hears of connections.
pub(super) fn listener(fd: i32) -> Channel {
    Name::of_socket(fd, Side::Own).listener()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::{TcpListener, TcpStream, UdpSocket};
    use std::os::fd::AsRawFd;
    use std::os::unix::net::{UnixListener, UnixStream};

    fn face_to_face(a: i32, b: i32) {
        let (a, b) = (ends(a).unwrap(), ends(b).unwrap());
        assert!(a.inward.is_some() && a.outward.is_some());
        assert_eq!(a.inward, b.outward);
        assert_eq!(a.outward, b.inward);
    }

    #[test]
    fn both_ends_of_a_connection_agree() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let client = TcpStream::connect(address).unwrap();
        let (server, _) = listener.accept().unwrap();
        face_to_face(client.as_raw_fd(), server.as_raw_fd());
        let other = TcpStream::connect(address).unwrap();
        assert_ne!(ends(other.as_raw_fd()), ends(client.as_raw_fd()));
        let (raw, len) = raw_address(&server);
        // SAFETY: readable.
        let peer = unsafe { Name::of_program(raw.as_ptr(), len) };
        assert!(peer == Name::of_socket(client.as_raw_fd(), Side::Own));
    }

    fn raw_address(socket: &TcpStream) -> ([u8; SOCKET_ADDRESS], usize) {
        let mut raw = [0; SOCKET_ADDRESS];
        let len = os::socket_address(socket.as_raw_fd(), Side::Peer, &mut raw);
        (raw, len)
    }

    #[test]
    fn unix_connections_agree_by_the_listeners_path() {
        let path = std::env::temp_dir().join(format!("racert-resolve-{}", std::process::id()));
        let server = UnixListener::bind(&path).unwrap();
        let client = UnixStream::connect(&path).unwrap();
        let (accepted, _) = server.accept().unwrap();
        face_to_face(client.as_raw_fd(), accepted.as_raw_fd());
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn datagrams_go_to_an_address() {
        let (a, b) = (
            UdpSocket::bind("127.0.0.1:0").unwrap(),
            UdpSocket::bind("127.0.0.1:0").unwrap(),
        );
        a.connect(b.local_addr().unwrap()).unwrap();
        let (a, b) = (ends(a.as_raw_fd()).unwrap(), ends(b.as_raw_fd()).unwrap());
        assert_eq!(a.outward, b.inward);
        assert_eq!(b.outward, None);
    }

    #[test]
    fn what_is_not_open_has_no_ends() {
        assert_eq!(ends(-1), None);
    }
}
