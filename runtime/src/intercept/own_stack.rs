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

/// First and last-plus-one address of the calling thread's stack; zeros if
/// unknown. Not for the main thread.
pub fn own_stack() -> (usize, usize) {
    kept_by_libc().unwrap_or_else(asked_for)
}

/// As libc's descriptor of the thread has it.
fn kept_by_libc() -> Option<(usize, usize)> {
    let here = 0_u8;
    let here = (&raw const here).addr();
    // SAFETY: takes no arguments.
    let me = unsafe { libc::pthread_self() } as usize;
    let words = me as *const usize;
    // SAFETY: descriptors are longer; this one is the thread's own.
    let word = |i: usize| unsafe { words.add(i).read_volatile() };
    LOOKED_AT
        .into_iter()
        .find_map(|i| bounds([i, i + 1, i + 2].map(word), here, me))
}

/// The stack if these words are its start, its size and the size of the guard
/// in it, one behind the other; `here` is on the stack of the descriptor `me`.
fn bounds([start, size, guard]: [usize; 3], here: usize, me: usize) -> Option<(usize, usize)> {
    let end = start.checked_add(size)?;
    let contains = |address| (start..end).contains(&address);
    // An address that is taken for a size leads to here only from near 0.
    let fits = size <= start
        && contains(here)
        && contains(me)
        && end - me < NEAR
        && guard < size
        && guard.is_multiple_of(PAGE);
    fits.then(|| (start + guard, end))
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
    fn other_words_are_not_taken_for_bounds() {
        let (here, me) = (0x580_0000, 0x5ff_f000);
        let right = [0x500_0000, 0x100_0000, 0x1000];
        assert_eq!(bounds(right, here, me), Some((0x500_1000, 0x600_0000)));
        // A pointer to the descriptor, in an address space that begins low.
        assert_eq!(bounds([0, me + 64, 0], here, me), None);
        assert_eq!(bounds([4096, me, 0], here, me), None);
        assert_eq!(bounds([0x500_0000, 0x100_0000, 0x1001], here, me), None);
        assert_eq!(bounds([0x500_0000, 0x200_0000, 0x1000], here, me), None);
        assert_eq!(bounds([0x590_0000, 0x70_0000, 0x1000], here, me), None);
    }

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
