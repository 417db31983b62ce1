//! Programs that stand in front of the same functions.
//!
//! A program may define `pthread_mutex_lock` itself, or call what
//! `dlsym(RTLD_NEXT, "pthread_create")` says. Behind the executable comes libc,
//! so those calls would pass the interceptors by, and with them all the order
//! they make. The executable is told of the interceptors instead, which stand
//! between it and libc.

use super::stub::code_of;
use super::{callers, section};
use core::ffi::{CStr, c_char, c_void};
use core::ptr::null_mut;
use core::sync::atomic::{AtomicPtr, Ordering};

unsafe extern "C" {
    fn dlvsym(handle: *mut c_void, name: *const c_char, version: *const c_char) -> *mut c_void;
}

/// libc's `dlsym`.
static DLSYM: AtomicPtr<c_void> = AtomicPtr::new(null_mut());
/// The versions it has had: in libc, and in the library of its own before.
const VERSIONS: [&CStr; 2] = [c"GLIBC_2.34", c"GLIBC_2.2.5"];

// `dlsym` finds out who asks by its return address, so the stub leaves the
// stack as it found it and continues there.
#[cfg(not(test))]
core::arch::global_asm!(
    ".pushsection .text.dlsym,\"ax\",@progbits",
    ".p2align 4",
    ".weak dlsym",
    ".type dlsym, @function",
    "dlsym:",
    "push rdi",
    "push rsi",
    "mov rdx, qword ptr [rsp + 16]",
    "sub rsp, 8",
    "call {own}",
    "add rsp, 8",
    "pop rsi",
    "pop rdi",
    "test rax, rax",
    "jz 2f",
    "ret",
    "2:",
    "mov rax, qword ptr [rip + {next}]",
    "jmp rax",
    ".size dlsym, . - dlsym",
    ".popsection",
    own = sym own_for,
    next = sym DLSYM,
);

/// What `dlsym(handle, name)` called from `pc` answers without asking libc,
/// whose function is known afterwards.
#[cfg_attr(test, expect(dead_code, reason = "tests do not export stubs"))]
unsafe extern "C" fn own_for(handle: *mut c_void, name: *const c_char, pc: usize) -> usize {
    if DLSYM.load(Ordering::Relaxed).is_null() {
        look_up();
    }
    if handle != libc::RTLD_NEXT || name.is_null() {
        return 0;
    }
    let found = section(|| {
        if !callers::is_instrumented(pc) {
            return None;
        }
        // SAFETY: the program passes a C string.
        own(unsafe { CStr::from_ptr(name) }.to_bytes())
    });
    found.flatten().unwrap_or(0)
}

fn look_up() {
    let _inside = crate::tls::enter();
    let found = VERSIONS.iter().find_map(|version| {
        // SAFETY: two C strings.
        let address = unsafe { dlvsym(libc::RTLD_NEXT, c"dlsym".as_ptr(), version.as_ptr()) };
        (!address.is_null()).then_some(address)
    });
    match found {
        Some(address) => DLSYM.store(address, Ordering::Relaxed),
        None => panic!("libc has no function dlsym"),
    }
}

/// The address of the interceptor called `name`, if programs put functions of
/// their own in front of it. Not those of the heap: blocks that come from libc
/// must go back there.
fn own(name: &[u8]) -> Option<usize> {
    macro_rules! among {
        ($($own:literal)+) => {
            $(
                if name == $own.as_bytes() {
                    // One behind what it names, as in a stack.
                    return Some(code_of!($own) - 1);
                }
            )+
        };
    }
    among! {
        "pthread_create" "pthread_join" "pthread_tryjoin_np" "pthread_timedjoin_np"
        "pthread_clockjoin_np" "pthread_detach" "pthread_once"
        "pthread_mutex_init" "pthread_mutex_destroy" "pthread_mutex_lock"
        "pthread_mutex_trylock" "pthread_mutex_timedlock" "pthread_mutex_clocklock"
        "pthread_mutex_unlock"
        "pthread_cond_init" "pthread_cond_destroy" "pthread_cond_wait"
        "pthread_cond_timedwait" "pthread_cond_clockwait" "pthread_cond_signal"
        "pthread_cond_broadcast"
        "pthread_rwlock_init" "pthread_rwlock_destroy" "pthread_rwlock_rdlock"
        "pthread_rwlock_tryrdlock" "pthread_rwlock_timedrdlock" "pthread_rwlock_clockrdlock"
        "pthread_rwlock_wrlock" "pthread_rwlock_trywrlock" "pthread_rwlock_timedwrlock"
        "pthread_rwlock_clockwrlock" "pthread_rwlock_unlock"
        "pthread_spin_init" "pthread_spin_destroy" "pthread_spin_lock" "pthread_spin_trylock"
        "pthread_spin_unlock"
        "pthread_barrier_init" "pthread_barrier_destroy" "pthread_barrier_wait"
        "sem_init" "sem_destroy" "sem_post" "sem_wait" "sem_trywait" "sem_timedwait"
        "sem_clockwait"
        "read" "write" "send" "recv" "sendmsg" "recvmsg" "sendto" "recvfrom" "close"
        "epoll_wait" "poll" "sigaction"
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_of_the_heap_stay_libcs() {
        assert!(own(b"pthread_create").is_some());
        assert!(own(b"pthread_mutex_lock").is_some());
        assert!(own(b"malloc").is_none() && own(b"free").is_none());
    }

    #[test]
    fn the_function_behind_is_found() {
        look_up();
        assert!(!DLSYM.load(Ordering::Relaxed).is_null());
    }
}
