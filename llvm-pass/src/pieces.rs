//! Memory of any size as accesses of the sizes that instructions have.

/// Cuts `size` bytes that begin `offset` bytes behind an aligned address into
/// pieces that an access of their size could have: start and size of each.
pub(crate) fn pieces(offset: u64, size: u64) -> impl Iterator<Item = (u64, u64)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let largest = [8, 4, 2, 1]
            .into_iter()
            .find(|piece| (offset + at).is_multiple_of(*piece) && at + piece <= size)?;
        at += largest;
        Some((at - largest, largest))
    })
}
