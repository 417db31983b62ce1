//! Memory of any size as accesses of the sizes that instructions have.

#[path = "../src/pieces.rs"]
mod pieces;

fn cut(offset: u64, size: u64) -> Vec<(u64, u64)> {
    pieces::pieces(offset, size).collect()
}

#[test]
fn pieces_are_as_large_as_can_be() {
    assert_eq!(cut(4, 20), [(0, 4), (4, 8), (12, 8)]);
    assert_eq!(cut(1, 7), [(0, 1), (1, 2), (3, 4)]);
    assert_eq!(cut(0, 13), [(0, 8), (8, 4), (12, 1)]);
}

#[test]
fn pieces_are_aligned_and_leave_nothing_out() {
    for (offset, all) in (0..8).flat_map(|offset| (1..=64).map(move |size| (offset, size))) {
        let mut end = 0;
        for (start, size) in cut(offset, all) {
            assert_eq!((start, (offset + start) % size), (end, 0));
            end += size;
        }
        assert_eq!(end, all);
    }
}
