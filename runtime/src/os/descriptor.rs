//! What the kernel knows of a descriptor.

use super::call::syscall;
use core::mem::MaybeUninit;

/// The file behind a descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileStatus {
    /// Type and permissions.
    pub mode: u32,
    /// Device.
    pub device: u64,
    /// Number on that device.
    pub inode: u64,
}

/// The file behind `fd`; `None` if it is not open.
pub fn file_status(fd: i32) -> Option<FileStatus> {
    let mut stat = MaybeUninit::<libc::stat>::uninit();
    let args = [fd as usize, stat.as_mut_ptr() as usize, 0, 0, 0, 0];
    // SAFETY: libc's structure is the kernel's on this architecture.
    unsafe {
        syscall(libc::SYS_fstat, args).ok()?;
        let stat = stat.assume_init();
        Some(FileStatus {
            mode: stat.st_mode,
            device: stat.st_dev,
            inode: stat.st_ino,
        })
    }
}

/// Whose address is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The socket's own.
    Own,
    /// That of what it is connected to.
    Peer,
}

/// Room for the address of any socket.
pub const SOCKET_ADDRESS: usize = 128;

/// Writes the address of a socket; how long it is, 0 if there is none.
pub fn socket_address(fd: i32, side: Side, into: &mut [u8; SOCKET_ADDRESS]) -> usize {
    let call = match side {
        Side::Own => libc::SYS_getsockname,
        Side::Peer => libc::SYS_getpeername,
    };
    let mut len = SOCKET_ADDRESS as libc::socklen_t;
    let args = [
        fd as usize,
        into.as_mut_ptr() as usize,
        &raw mut len as usize,
        0,
        0,
        0,
    ];
    // SAFETY: the kernel writes at most the length given.
    match unsafe { syscall(call, args) } {
        Ok(_) => (len as usize).min(SOCKET_ADDRESS),
        Err(_) => 0,
    }
}

/// `SOCK_STREAM`, `SOCK_DGRAM` and so on; 0 if it is not a socket.
pub fn socket_type(fd: i32) -> i32 {
    let mut kind = 0i32;
    let mut len = size_of::<i32>() as libc::socklen_t;
    let args = [
        fd as usize,
        libc::SOL_SOCKET as usize,
        libc::SO_TYPE as usize,
        &raw mut kind as usize,
        &raw mut len as usize,
        0,
    ];
    // SAFETY: the kernel writes at most the length given.
    match unsafe { syscall(libc::SYS_getsockopt, args) } {
        Ok(_) => kind,
        Err(_) => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::{TcpListener, TcpStream};
    use std::os::fd::AsRawFd;

    #[test]
    fn a_connection_has_two_names() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let fd = client.as_raw_fd();
        let (mut own, mut peer) = ([0; SOCKET_ADDRESS], [0; SOCKET_ADDRESS]);
        assert_eq!(socket_address(fd, Side::Own, &mut own), 16);
        assert_eq!(socket_address(fd, Side::Peer, &mut peer), 16);
        assert_ne!(own, peer);
        assert_eq!(socket_type(fd), libc::SOCK_STREAM);
        assert!(file_status(fd).is_some_and(|s| s.mode & libc::S_IFMT == libc::S_IFSOCK));
    }

    #[test]
    fn what_is_not_open_is_nothing() {
        assert_eq!(file_status(-1), None);
        assert_eq!(socket_type(-1), 0);
    }
}
