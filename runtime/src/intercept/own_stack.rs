//! Where the calling thread's stack is.
//!
//! `pthread_getattr_np` says so, but it also asks for the processors that the
//! thread may run on, in memory from `malloc`. If that is the program's own, it
//! would run in a thread that is not known yet, and what it synchronises there
//! would not be seen. So the bounds are read from the thread's descriptor,
//! where libc keeps them, wherever in it they are: no other three words of it
//! can be taken for them.

use crate::os::PAGE;
use core::mem::MaybeUninit;
use core::ops::Range;
use core::ptr::null_mut;
use libc::pthread_attr_t;

/// The words of a descriptor that are looked at. glibc 2.36 has the bounds from
/// the 210th on, and 288 words.
const LOOKED_AT: Range<usize> = 64..256;
/// A descriptor is at the end of its stack.
const NEAR: usize = 64 << 10;
/// No stack is as large, and addresses of stacks are larger: 1 TiB.
const TOO_LARGE: usize = 1 << 40;

/// First and last-plus-one address of the calling thread's stack; zeros if
/// unknown. Not for the main thread.
pub fn own_stack() -> (usize, usize) {
    kept_by_libc().unwrap_or_else(asked_for)
}

/// As libc's descriptor of the thread has it: the start, the size and the
/// size of the guard in it, one behind the other.
fn kept_by_libc() -> Option<(usize, usize)> {
    let here = 0_u8;
    let here = (&raw const here).addr();
    // SAFETY: takes no arguments.
    let me = unsafe { libc::pthread_self() } as usize;
    let words = me as *const usize;
    LOOKED_AT.into_iter().find_map(|i| {
        // SAFETY: descriptors are longer; this one is the thread's own.
        let [start, size, guard] =
            unsafe { [i, i + 1, i + 2].map(|word| words.add(word).read_volatile()) };
        let end = start.checked_add(size)?;
        let contains = |address| (start..end).contains(&address);
        let fits = size < TOO_LARGE
            && contains(here)
            && contains(me)
            && end - me < NEAR
            && guard < size
            && guard.is_multiple_of(PAGE);
        fits.then(|| (start + guard, end))
    })
}

/// As libc says.
fn asked_for() -> (usize, usize) {
    let mut attr = MaybeUninit::<pthread_attr_t>::uninit();
    let (mut low, mut size) = (null_mut(), 0);
    // SAFETY: the attributes are filled by the first call, read by the second
    // and given back by the third.
    unsafe {
        if libc::pthread_getattr_np(libc::pthread_self(), attr.as_mut_ptr()) != 0 {
            return (0, 0);
        }
        libc::pthread_attr_getstack(attr.as_ptr(), &mut low, &mut size);
        libc::pthread_attr_destroy(attr.as_mut_ptr());
    }
    (low as usize, low as usize + size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libc_keeps_what_it_says() {
        for size in [0, 64 << 10, 300_000, 9 << 20] {
            let thread = std::thread::Builder::new().stack_size(size);
            let both = thread.spawn(|| (kept_by_libc(), asked_for())).unwrap();
            let (kept, asked) = both.join().unwrap();
            assert_eq!(kept, Some(asked), "{size}");
        }
    }
}
