//! Memory orders, as types.
//!
//! A load cannot release and a store cannot acquire, so the two halves of an
//! order are different types: code that mixes them up does not compile.

/// What an atomic operation learns from the value it reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AcquireOrder {
    /// Nothing, unless an acquire fence follows.
    Relaxed,
    /// What was released with the value.
    Acquire,
}

/// What an atomic operation publishes with the value it writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReleaseOrder {
    /// Nothing, unless a release fence came before.
    Relaxed,
    /// All that happened before.
    Release,
}

/// C11's `memory_order` as the compiler passes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct MemoryOrder(pub i32);

impl MemoryOrder {
    const RELAXED: i32 = 0;
    const CONSUME: i32 = 1;
    const ACQUIRE: i32 = 2;
    const RELEASE: i32 = 3;
    const ACQ_REL: i32 = 4;
    pub(super) const SEQ_CST: i32 = 5;

    /// Neither releases nor acquires.
    #[inline]
    pub fn is_relaxed(self) -> bool {
        self.acquire() == AcquireOrder::Relaxed && self.release() == ReleaseOrder::Relaxed
    }

    /// The half that concerns reading. Consume is treated as acquire, as
    /// compilers do.
    #[inline]
    pub fn acquire(self) -> AcquireOrder {
        match self.0 {
            Self::CONSUME | Self::ACQUIRE | Self::ACQ_REL | Self::SEQ_CST => AcquireOrder::Acquire,
            _ => AcquireOrder::Relaxed,
        }
    }

    /// Must all threads see a store of this order in its place among others of
    /// its kind?
    #[inline]
    pub fn is_total(self) -> bool {
        !matches!(self.0, Self::RELAXED | Self::RELEASE)
    }

    /// The half that concerns writing.
    #[inline]
    pub fn release(self) -> ReleaseOrder {
        match self.0 {
            Self::RELEASE | Self::ACQ_REL | Self::SEQ_CST => ReleaseOrder::Release,
            _ => ReleaseOrder::Relaxed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_split_as_the_standard_says() {
        use AcquireOrder::Acquire;
        use ReleaseOrder::Release;
        let split: Vec<(bool, bool)> = (0..6)
            .map(MemoryOrder)
            .map(|o| (o.acquire() == Acquire, o.release() == Release))
            .collect();
        assert_eq!(
            split,
            [
                (false, false),
                (true, false),
                (true, false),
                (false, true),
                (true, true),
                (true, true)
            ]
        );
    }
}
