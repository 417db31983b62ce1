//! A hash that stays the same from build to build.

/// FNV-1a with 128 bits.
pub(super) struct Hash(pub(super) u128);

impl Hash {
    /// Of nothing.
    pub(super) fn new() -> Hash {
        Hash(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }

    /// Adds a field; its length keeps "ab","c" and "a","bc" apart.
    pub(super) fn add(&mut self, bytes: &[u8]) {
        let length = (bytes.len() as u64).to_le_bytes();
        for byte in bytes.iter().chain(&length) {
            self.0 ^= u128::from(*byte);
            self.0 = self
                .0
                .wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
        }
    }
}
