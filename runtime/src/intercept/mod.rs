//! Interceptors.

/// A block.
pub struct Block {
    /// Start.
    pub start: usize,
    /// Size.
    pub size: usize,
    /// Stack.
    pub stack: u32,
    /// Thread.
    pub thread: u32,
}

/// Finds.
pub fn find_block(_addr: usize) -> Option<Block> {
    None
}
