//! Which unit a variable is in.
//!
//! The code that touches a variable is mostly compiled in the unit that defines
//! it, so the units of the two accesses are asked first. Reading all units takes
//! about a second for every 100 MB of debug information; that is done once, and
//! only up to [`SEARCHED`].

use super::dwarf::Slice;
use super::variables::{self, Indexed, Start};
use addr2line::gimli::{Dwarf, UnitRef};
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

/// Bytes of debug information that are read for a variable which the units of
/// its accesses do not define.
const SEARCHED: usize = 64 << 20;

/// The variables of the units read so far, by the offset of the unit.
#[derive(Default)]
pub(super) struct VariableIndex {
    units: BTreeMap<usize, Vec<Indexed>>,
    complete: bool,
}

impl VariableIndex {
    /// The variable of `unit`, which is at `offset`, that begins at `start`.
    pub(super) fn find_in(
        &mut self,
        unit: UnitRef<'_, Slice>,
        offset: usize,
        start: Start,
    ) -> Option<Indexed> {
        let index = self.units.entry(offset);
        variables::at(index.or_insert_with(|| variables::index(unit)), start)
    }

    /// The variable that begins at `start`, with its unit, of `dwarf`, which has
    /// `size` bytes of debug information.
    pub(super) fn find(
        &mut self,
        dwarf: &Dwarf<Slice>,
        size: usize,
        start: Start,
    ) -> Option<(usize, Indexed)> {
        if !self.complete && size <= SEARCHED {
            self.complete(dwarf);
        }
        let mut units = self.units.iter();
        units.find_map(|(offset, index)| Some((*offset, variables::at(index, start)?)))
    }

    fn complete(&mut self, dwarf: &Dwarf<Slice>) {
        self.complete = true;
        let mut headers = dwarf.units();
        while let Ok(Some(header)) = headers.next() {
            let Some(offset) = header.debug_info_offset().map(|offset| offset.0) else {
                continue;
            };
            if self.units.contains_key(&offset) {
                continue;
            }
            if let Ok(unit) = dwarf.unit(header) {
                let index = variables::index(unit.unit_ref(dwarf));
                self.units.insert(offset, index);
            }
        }
    }

    /// Bytes of memory that it takes, roughly.
    pub(super) fn weight(&self) -> usize {
        let variables: usize = self.units.values().map(Vec::len).sum();
        variables * size_of::<Indexed>() + self.units.len() * 64
    }
}
