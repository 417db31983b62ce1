//! Atomic accesses that are on record in this segment.
//!
//! Programs that use an atomic variable use it often. Whether such an access is
//! on record is read from the shadow, and if many threads use the variable from
//! a cell; a small table remembers the answer. It holds as long as the segment
//! does: should the record have gone meanwhile, whoever made it go has met it,
//! and nothing orders that thread after this segment's accesses but a release,
//! which ends the segment.

const SIZE: usize = 64;

/// See the module's description.
pub struct Recent([(u64, u64); SIZE]);

impl Default for Recent {
    fn default() -> Self {
        Self::new()
    }
}

/// Stands for an access; the place where it is remembered.
#[inline]
fn key(addr: usize, size: usize, write: bool) -> (u64, usize) {
    let key = (addr as u64) << 8 | (size as u64) << 1 | u64::from(write);
    (
        key,
        ((addr >> 3 ^ addr >> 9) << 1 | usize::from(write)) % SIZE,
    )
}

impl Recent {
    /// Nothing remembered.
    pub const fn new() -> Recent {
        Recent([(0, 0); SIZE])
    }

    /// Is the access on record in the segment `current`, as far as is known
    /// here?
    #[inline]
    pub fn has(&self, addr: usize, size: usize, write: bool, current: u64) -> bool {
        let (key, place) = key(addr, size, write);
        self.0[place] == (key, current)
    }

    /// It is.
    #[inline]
    pub fn put(&mut self, addr: usize, size: usize, write: bool, current: u64) {
        let (key, place) = key(addr, size, write);
        self.0[place] = (key, current);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_access_is_remembered_for_one_segment() {
        let mut recent = Recent::new();
        recent.put(0x1000, 8, true, 77);
        assert!(recent.has(0x1000, 8, true, 77));
        assert!(!recent.has(0x1000, 8, true, 78));
        assert!(!recent.has(0x1000, 4, true, 77));
        assert!(!recent.has(0x1000, 8, false, 77));
        recent.put(0x1000 + 8 * SIZE, 8, true, 77);
        assert!(recent.has(0x1000 + 8 * SIZE, 8, true, 77));
    }
}
