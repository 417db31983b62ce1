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
const MUTEX_COUNT: usize = 4;
const MUTEX_OWNER: usize = 8;
const MUTEX_KIND: usize = 16;
/// `pthread_mutex_destroy` leaves this as the kind.
const DESTROYED: i32 = -1;
const ROBUST: i32 = 16;
const CEILING: i32 = 64;
const MUTEX_SHARED: i32 = 128;
/// The owner of a robust mutex that nobody has recovered. Who tries to lock it
/// may leave its own number in the word.
const UNRECOVERABLE: u32 = i32::MAX as u32 - 1;
/// In the word of robust and priority-inheriting mutexes: the owner.
const OWNER_MASK: u32 = 0x3fff_ffff;
/// In that of mutexes with a ceiling of priorities: the ceiling above, which
/// says nothing of whether they are held.
const STATE_MASK: u32 = 0x0007_ffff;

const RWLOCK_READERS: usize = 0;
const RWLOCK_WRITER: usize = 24;
const RWLOCK_SHARED: usize = 28;
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

/// Does the mutex, which the calling thread holds, stay locked when it is
/// unlocked once?
pub fn mutex_stays_locked(mutex: usize) -> bool {
    relock(mutex) == Relock::Counts && word(mutex, MUTEX_COUNT) > 1
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

/// Is the mutex for several processes? Where one of them unmaps it, it stays.
pub fn mutex_is_shared(mutex: usize) -> bool {
    let kind = word(mutex, MUTEX_KIND);
    kind != DESTROYED && kind & MUTEX_SHARED != 0
}

/// The same of a read-write lock.
pub fn rwlock_is_shared(rwlock: usize) -> bool {
    word(rwlock, RWLOCK_SHARED) != 0
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
    let kind = word(mutex, MUTEX_KIND);
    let has_ceiling = kind != DESTROYED && kind & CEILING != 0;
    let mask = if has_ceiling { STATE_MASK } else { OWNER_MASK };
    let lock = word(mutex, MUTEX_WORD) as u32 & mask;
    let owner = word(mutex, MUTEX_OWNER) as u32;
    match (lock, owner) {
        (0, _) | (_, UNRECOVERABLE) => Holder::Nobody,
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

/// Words of a condition variable.
const CONDVAR_WORDS: usize = 12;
/// Where glibc keeps its flags: before version 2.41, and since.
const CONDVAR_FLAGS: [usize; 2] = [9, 7];
/// The highest value of the flags.
const MOST_FLAGS: i32 = 7;

/// Was the condition variable initialised? It counts who begins to wait before
/// it changes in any other way, so one on which nobody has waited is empty but
/// for its flags. Of others nothing can be said.
pub fn condvar_is_initialised(condvar: usize) -> bool {
    let nobody_waited = || word(condvar, 0) == 0 && word(condvar, 4) == 0;
    let is_empty = |index: usize| {
        let value = word(condvar, 4 * index);
        value == 0 || CONDVAR_FLAGS.contains(&index) && (0..=MOST_FLAGS).contains(&value)
    };
    // Asked again, for somebody may have begun to wait meanwhile.
    !nobody_waited() || (2..CONDVAR_WORDS).all(is_empty) || !nobody_waited()
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
            assert!(!mutex_stays_locked(address));
            if expected == Relock::Counts {
                // SAFETY: as above.
                unsafe { libc::pthread_mutex_lock(&mut *mutex) };
                assert!(mutex_stays_locked(address));
                // SAFETY: as above.
                unsafe { libc::pthread_mutex_unlock(&mut *mutex) };
                assert!(!mutex_stays_locked(address));
            }
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
    fn a_ceiling_is_no_holder() {
        let mut mutex = mutex(libc::PTHREAD_MUTEX_NORMAL);
        let address = &raw const *mutex as usize;
        // SAFETY: fresh attributes and a mutex that nobody uses.
        unsafe {
            let mut attr = core::mem::zeroed();
            libc::pthread_mutexattr_init(&mut attr);
            libc::pthread_mutexattr_setprotocol(&mut attr, libc::PTHREAD_PRIO_PROTECT);
            libc::pthread_mutex_init(&mut *mutex, &attr);
        }
        assert_ne!(word(address, MUTEX_WORD), 0);
        assert_eq!(mutex_holder(address), Holder::Nobody);
        assert!(!mutex_is_shared(address));
    }

    #[test]
    fn condition_variables_tell_whether_they_were_initialised() {
        let mut condvar = Box::new(libc::PTHREAD_COND_INITIALIZER);
        let address = &raw mut *condvar as usize;
        assert!(condvar_is_initialised(address));
        // SAFETY: fresh attributes, and a condition variable nobody uses; its
        // last byte.
        unsafe {
            let mut attr = core::mem::zeroed();
            libc::pthread_condattr_init(&mut attr);
            libc::pthread_condattr_setclock(&mut attr, libc::CLOCK_MONOTONIC);
            libc::pthread_condattr_setpshared(&mut attr, libc::PTHREAD_PROCESS_SHARED);
            libc::pthread_cond_init(&mut *condvar, &attr);
            assert!(condvar_is_initialised(address));
            libc::pthread_cond_signal(&mut *condvar);
            libc::pthread_cond_destroy(&mut *condvar);
            assert!(condvar_is_initialised(address));
            *((address + 47) as *mut u8) ^= 1;
        }
        assert!(!condvar_is_initialised(address));
    }

    #[test]
    fn a_condition_variable_somebody_waited_on_is_not_judged() {
        let mut condvar = Box::new(libc::PTHREAD_COND_INITIALIZER);
        let mut mutex = mutex(libc::PTHREAD_MUTEX_NORMAL);
        let past = libc::timespec {
            tv_sec: 1,
            tv_nsec: 0,
        };
        // SAFETY: this thread's own objects.
        unsafe {
            libc::pthread_mutex_lock(&mut *mutex);
            let result = libc::pthread_cond_timedwait(&mut *condvar, &mut *mutex, &past);
            assert_eq!(result, libc::ETIMEDOUT);
        }
        assert!(condvar_is_initialised(&raw const *condvar as usize));
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
