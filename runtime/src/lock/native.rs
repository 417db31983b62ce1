//! What libc's locks say about themselves.
//!
//! The layout of these structures is part of glibc's binary interface: static
//! initialisers are compiled into programs. It is asked when the runtime's own
//! records say that something is wrong, so that a lock which other code than
//! the program's has changed in between makes no false alarm.

use crate::os;
use core::sync::atomic::{AtomicI32, Ordering};

/// What a mutex does when its owner locks it again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relock {
    /// It waits for ever.
    Hangs,
    /// It counts.
    Counts,
    /// It returns an error.
    Fails,
}

const MUTEX_WORD: usize = 0;
const MUTEX_OWNER: usize = 8;
const MUTEX_KIND: usize = 16;
/// `pthread_mutex_destroy` leaves this as the kind.
const DESTROYED: i32 = -1;
const ROBUST: i32 = 16;
/// In the word of robust and priority-inheriting mutexes: the owner.
const OWNER_MASK: u32 = 0x3fff_ffff;

const RWLOCK_READERS: usize = 0;
const RWLOCK_WRITER: usize = 24;
/// Readers are counted from this bit of the word on; the lower ones are flags.
const READER_SHIFT: u32 = 3;

/// A free pthread spin lock.
const SPIN_FREE: i32 = 1;

/// Reads a word of the program's lock. The program passes it to libc as a
/// lock, so it is readable.
fn word(address: usize, offset: usize) -> i32 {
    // SAFETY: see above; libc's locks are aligned to at least 4 bytes.
    unsafe { (*((address + offset) as *const AtomicI32)).load(Ordering::Acquire) }
}

/// What locking a mutex twice does.
pub fn relock(mutex: usize) -> Relock {
    match word(mutex, MUTEX_KIND) & 3 {
        1 => Relock::Counts,
        2 => Relock::Fails,
        _ => Relock::Hangs,
    }
}

/// Was the mutex destroyed, and not made anew in whatever way?
pub fn mutex_is_destroyed(mutex: usize) -> bool {
    word(mutex, MUTEX_KIND) == DESTROYED
}

/// Does the next owner hear that the last one died?
pub fn mutex_is_robust(mutex: usize) -> bool {
    let kind = word(mutex, MUTEX_KIND);
    kind != DESTROYED && kind & ROBUST != 0
}

/// Whose a lock is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holder {
    /// Nobody's.
    Nobody,
    /// The calling thread's.
    Me,
    /// Some thread's; not the calling one's as far as can be seen.
    Other,
}

/// Who holds a mutex.
pub fn mutex_holder(mutex: usize) -> Holder {
    let lock = word(mutex, MUTEX_WORD) as u32 & OWNER_MASK;
    let owner = word(mutex, MUTEX_OWNER) as u32;
    match (lock, owner) {
        (0, _) => Holder::Nobody,
        (lock, owner) => {
            let me = os::gettid();
            if owner == me || lock == me {
                Holder::Me
            } else {
                Holder::Other
            }
        }
    }
}

/// Who holds a read-write lock. A reader's is anybody's.
pub fn rwlock_holder(rwlock: usize) -> Holder {
    let writer = word(rwlock, RWLOCK_WRITER) as u32;
    let readers = word(rwlock, RWLOCK_READERS) as u32 >> READER_SHIFT;
    if writer == os::gettid() {
        Holder::Me
    } else if writer != 0 || readers != 0 {
        Holder::Other
    } else {
        Holder::Nobody
    }
}

/// Is a spin lock free?
pub fn spin_is_free(spin: usize) -> bool {
    word(spin, 0) == SPIN_FREE
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mutex(kind: i32) -> Box<libc::pthread_mutex_t> {
        let mut mutex = Box::new(libc::PTHREAD_MUTEX_INITIALIZER);
        // SAFETY: fresh attributes and a fresh mutex.
        unsafe {
            let mut attr = core::mem::zeroed();
            libc::pthread_mutexattr_init(&mut attr);
            libc::pthread_mutexattr_settype(&mut attr, kind);
            libc::pthread_mutex_init(&mut *mutex, &attr);
        }
        mutex
    }

    #[test]
    fn mutexes_tell_kind_and_state() {
        for (kind, expected) in [
            (libc::PTHREAD_MUTEX_NORMAL, Relock::Hangs),
            (libc::PTHREAD_MUTEX_RECURSIVE, Relock::Counts),
            (libc::PTHREAD_MUTEX_ERRORCHECK, Relock::Fails),
        ] {
            let mut mutex = mutex(kind);
            let address = &raw const *mutex as usize;
            assert_eq!(relock(address), expected);
            assert_eq!(mutex_holder(address), Holder::Nobody);
            // SAFETY: the mutex made above.
            unsafe { libc::pthread_mutex_lock(&mut *mutex) };
            assert_eq!(mutex_holder(address), Holder::Me);
            let other = std::thread::spawn(move || mutex_holder(address));
            assert_eq!(other.join().unwrap(), Holder::Other);
            // SAFETY: as above.
            unsafe { libc::pthread_mutex_unlock(&mut *mutex) };
            assert_eq!(mutex_holder(address), Holder::Nobody);
            assert!(!mutex_is_destroyed(address));
            // SAFETY: as above.
            unsafe { libc::pthread_mutex_destroy(&mut *mutex) };
            assert!(mutex_is_destroyed(address));
        }
    }

    #[test]
    fn read_write_locks_tell_their_state() {
        let mut lock = Box::new(libc::PTHREAD_RWLOCK_INITIALIZER);
        let address = &raw const *lock as usize;
        assert_eq!(rwlock_holder(address), Holder::Nobody);
        // SAFETY: the lock made above.
        unsafe { libc::pthread_rwlock_rdlock(&mut *lock) };
        assert_eq!(rwlock_holder(address), Holder::Other);
        // SAFETY: as above.
        unsafe {
            libc::pthread_rwlock_unlock(&mut *lock);
            libc::pthread_rwlock_wrlock(&mut *lock);
        }
        assert_eq!(rwlock_holder(address), Holder::Me);
        // SAFETY: as above.
        unsafe { libc::pthread_rwlock_unlock(&mut *lock) };
        assert_eq!(rwlock_holder(address), Holder::Nobody);
    }
}
