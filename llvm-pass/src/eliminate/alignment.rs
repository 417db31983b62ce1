//! Alignment learnt from neighbours: an object whose 8-byte field is aligned
//! is aligned itself, so the place of its smaller fields within their granule
//! is known too.

use super::location::Location;
use crate::access::Access;
use crate::llvm::value::{Block, Value};
use racert_abi::GRANULE;
use std::collections::HashMap;

/// Fills in granule offsets that follow from other accesses of the same block.
pub(crate) fn infer(accesses: &mut [Access]) {
    let granule = GRANULE as i64;
    let mut known: HashMap<(Block, Value), i64> = HashMap::new();
    for access in accesses.iter() {
        let (Some(offset), Some(place)) = (access.granule_offset, Location::of(access)) else {
            continue;
        };
        let base = (i64::from(offset) - place.offset).rem_euclid(granule);
        known.insert((access.place.block(), place.base), base);
    }
    for access in accesses
        .iter_mut()
        .filter(|access| access.granule_offset.is_none())
    {
        let Some(place) = Location::of(access) else {
            continue;
        };
        if let Some(base) = known.get(&(access.place.block(), place.base)) {
            let offset = (base + place.offset).rem_euclid(granule);
            access.granule_offset = u32::try_from(offset).ok();
        }
    }
}
