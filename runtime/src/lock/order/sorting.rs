//! Sorting a whole graph at once.

use super::ranks::NodeId;
use alloc::vec;
use alloc::vec::Vec;

/// The nodes `0..count`, each behind all from which an edge leads to it; `None`
/// if there is a circle.
///
/// Of those that could be next the one is taken that could be for the longest
/// time (Kahn, "Topological sorting of large networks", 1962). So a node comes
/// the later the longer the ways to it are, which is a good guess at what edges
/// yet to be made will say.
pub(super) fn sorted(
    count: usize,
    edges: impl Iterator<Item = (NodeId, NodeId)> + Clone,
) -> Option<Vec<NodeId>> {
    let mut missing = vec![0u32; count];
    // Where the edges from a node end among all of them.
    let mut ends = vec![0u32; count];
    for (from, to) in edges.clone() {
        ends[from as usize] += 1;
        missing[to as usize] += 1;
    }
    let mut sum = 0;
    for end in &mut ends {
        sum += *end;
        *end = sum;
    }
    let mut targets = vec![0; sum as usize];
    // Filled from behind: the ends become beginnings.
    for (from, to) in edges {
        let place = &mut ends[from as usize];
        *place -= 1;
        targets[*place as usize] = to;
    }
    let begins = ends;
    let mut order: Vec<NodeId> = (0..count as NodeId)
        .filter(|node| missing[*node as usize] == 0)
        .collect();
    let mut next = 0;
    while let Some(&node) = order.get(next) {
        next += 1;
        let begin = begins[node as usize] as usize;
        let behind = begins.get(node as usize + 1);
        let end = behind.map_or(targets.len(), |end| *end as usize);
        for to in &targets[begin..end] {
            let missing = &mut missing[*to as usize];
            *missing -= 1;
            if *missing == 0 {
                order.push(*to);
            }
        }
    }
    (order.len() == count).then_some(order)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const COUNT: usize = 12;

    /// By the definition: can a node be reached from itself?
    fn has_circle(edges: &[(NodeId, NodeId)]) -> bool {
        let mut reaches = [[false; COUNT]; COUNT];
        for (from, to) in edges {
            reaches[*from as usize][*to as usize] = true;
        }
        for middle in 0..COUNT {
            for from in 0..COUNT {
                for to in 0..COUNT {
                    reaches[from][to] |= reaches[from][middle] && reaches[middle][to];
                }
            }
        }
        (0..COUNT).any(|node| reaches[node][node])
    }

    proptest! {
        #[test]
        fn all_edges_lead_on(
            edges in prop::collection::vec((0..COUNT as NodeId, 0..COUNT as NodeId), 0..20)
        ) {
            let Some(order) = sorted(COUNT, edges.iter().copied()) else {
                prop_assert!(has_circle(&edges));
                return Ok(());
            };
            let place = |node| order.iter().position(|other| *other == node).unwrap();
            prop_assert!((0..COUNT as NodeId).all(|node| order.contains(&node)));
            prop_assert!(edges.iter().all(|(from, to)| place(*from) < place(*to)));
        }
    }

    #[test]
    fn a_long_row_backwards() {
        let edges = (1..1000).map(|node| (node, node - 1));
        let order = sorted(1000, edges).unwrap();
        assert!(order.into_iter().eq((0..1000).rev()));
    }
}
