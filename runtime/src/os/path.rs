//! What a path names.

use super::call::{Errno, syscall};
use super::file::File;
use alloc::string::String;
use alloc::vec::Vec;
use core::mem::MaybeUninit;

/// The longest path the kernel takes.
const LONGEST: usize = libc::PATH_MAX as usize;

/// The current directory; `None` if it is gone or cannot be reached.
pub fn current_directory() -> Option<Vec<u8>> {
    let mut room = [0u8; LONGEST];
    let args = [room.as_mut_ptr() as usize, room.len(), 0, 0, 0, 0];
    // SAFETY: the kernel writes at most `room.len()` bytes.
    let length = unsafe { syscall(libc::SYS_getcwd, args) }.ok()?;
    // The length counts the zero byte; a directory outside of the root of
    // this process begins with a word in brackets.
    let path = &room[..length.saturating_sub(1)];
    path.starts_with(b"/").then(|| path.to_vec())
}

/// The file this process executes.
pub fn program() -> Option<String> {
    let mut room = [0u8; LONGEST];
    let name = b"/proc/self/exe\0";
    let args = [
        name.as_ptr() as usize,
        room.as_mut_ptr() as usize,
        room.len(),
        0,
        0,
        0,
    ];
    // SAFETY: the name ends in a zero byte and the kernel writes at most
    // `room.len()` bytes.
    let length = unsafe { syscall(libc::SYS_readlink, args) }.ok()?;
    Some(String::from_utf8_lossy(&room[..length]).into_owned())
}

/// Makes the directory `path`; that it is there already is no error.
pub fn make_directory(path: &[u8]) -> Result<(), Errno> {
    let name = terminated(path);
    let args = [name.as_ptr() as usize, 0o755, 0, 0, 0, 0];
    // SAFETY: the name ends in a zero byte.
    match unsafe { syscall(libc::SYS_mkdir, args) } {
        Ok(_) | Err(Errno(libc::EEXIST)) => Ok(()),
        Err(error) => Err(error),
    }
}

/// Is `path` a directory?
pub fn is_directory(path: &[u8]) -> bool {
    let name = terminated(path);
    let at = libc::AT_FDCWD as isize as usize;
    kind(at, &name, 0) == Some(libc::S_IFDIR)
}

/// Opens `path` for reading if it is a plain file: reading a pipe or a device
/// could wait for ever.
pub fn open_plain(path: &[u8]) -> Option<File> {
    let file = File::open_without_waiting(path).ok()?;
    let empty = libc::AT_EMPTY_PATH as usize;
    (kind(file.fd() as usize, b"\0", empty) == Some(libc::S_IFREG)).then_some(file)
}

fn terminated(path: &[u8]) -> Vec<u8> {
    let mut name = Vec::with_capacity(path.len() + 1);
    name.extend_from_slice(path);
    name.push(0);
    name
}

/// The file type bits of what `name`, ending in a zero byte, is below `at`.
fn kind(at: usize, name: &[u8], flags: usize) -> Option<u32> {
    let mut stat = MaybeUninit::<libc::stat>::zeroed();
    let args = [
        at,
        name.as_ptr() as usize,
        stat.as_mut_ptr() as usize,
        flags,
        0,
        0,
    ];
    // SAFETY: the kernel fills the structure, for which zeroes are valid too.
    let stat = unsafe {
        syscall(libc::SYS_newfstatat, args).ok()?;
        stat.assume_init()
    };
    Some(stat.st_mode & libc::S_IFMT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_of_paths() {
        let here = current_directory().unwrap();
        let expected = std::env::current_dir().unwrap();
        assert_eq!(
            std::str::from_utf8(&here).unwrap(),
            expected.to_str().unwrap()
        );
        assert!(is_directory(&here));
        let program = std::env::current_exe().unwrap();
        assert_eq!(super::program().as_deref(), program.to_str());
        assert!(!is_directory(b"/proc/self/maps"));
        assert!(!is_directory(b"/nonexistent"));
        assert!(open_plain(b"/proc/self/exe").is_some());
        assert!(open_plain(b"/dev/null").is_none());
        assert!(open_plain(b"/tmp").is_none());
    }

    #[test]
    fn a_directory_is_made_once() {
        let path = std::env::temp_dir().join(format!("racert-made-{}", std::process::id()));
        let name = path.to_str().unwrap().as_bytes();
        assert_eq!(make_directory(name), Ok(()));
        assert_eq!(make_directory(name), Ok(()));
        assert!(is_directory(name));
        std::fs::remove_dir(&path).unwrap();
        assert!(make_directory(b"/nonexistent/folder").is_err());
    }
}
