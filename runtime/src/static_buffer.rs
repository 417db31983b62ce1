//! Memory inside the C library that its functions share: the results of
//! functions that are not safe to be called by several threads at once.
//!
//! Nobody sees libc touch it, and a copy of a library may have its own. So each
//! such buffer has a word here, whose address stands for it in the shadow; a
//! report names the function on top of the stack, and the buffer.

use core::sync::atomic::AtomicU64;

/// A buffer, or something else that is one for the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Buffer {
    /// The time in parts and as a text.
    Time,
    /// The rest of the text that `strtok` cuts.
    Token,
    /// An entry of the list of users.
    User,
    /// An entry of the list of groups.
    Group,
    /// An entry of the list of hosts.
    Host,
    /// An entry of the list of services, protocols or networks.
    Service,
    /// The environment variables.
    Environment,
    /// The locale.
    Locale,
    /// A terminal's name.
    Terminal,
    /// The numbers that `drand48` and its relatives go on from.
    Random,
    /// The text of a number.
    Number,
    /// The name of a file that does not exist yet.
    FileName,
    /// The table of `hsearch`.
    Table,
    /// Where `getopt` is in the command line.
    Options,
    /// An entry of the list of mounted file systems.
    Mount,
    /// The text that a password has become.
    Password,
}

const NAMES: [&str; 16] = [
    "the buffer that localtime, gmtime, ctime and asctime share",
    "the state of strtok",
    "the buffer that getpwnam, getpwuid and getpwent share",
    "the buffer that getgrnam, getgrgid and getgrent share",
    "the buffer that gethostbyname, gethostbyaddr and gethostent share",
    "the buffer of a list of services, protocols or networks",
    "the environment",
    "the locale of the process",
    "the buffer of a terminal's name",
    "the state that drand48, lrand48 and mrand48 share",
    "the buffer of a number's text",
    "the buffer of tmpnam",
    "the table of hsearch",
    "the state of getopt",
    "the buffer of getmntent",
    "the buffer of crypt",
];

static WORDS: [AtomicU64; NAMES.len()] = [const { AtomicU64::new(0) }; NAMES.len()];

/// What stands for `buffer` in the shadow.
pub(crate) fn address(buffer: Buffer) -> *const u64 {
    WORDS[buffer as usize].as_ptr()
}

/// The name of the buffer that `addr` stands for.
pub(crate) fn at_address(addr: usize) -> Option<&'static str> {
    let offset = addr.checked_sub(WORDS.as_ptr().addr())?;
    NAMES.get(offset / 8).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_buffer_has_its_name() {
        let name = |buffer| at_address(address(buffer).addr()).unwrap();
        assert!(name(Buffer::Time).contains("localtime"));
        assert!(name(Buffer::Terminal).contains("terminal"));
        assert!(name(Buffer::Environment).contains("environment"));
        assert!(name(Buffer::Mount).contains("getmntent"));
        assert!(name(Buffer::Password).contains("crypt"));
        assert_eq!(at_address(address(Buffer::Password).addr() + 8), None);
    }
}
