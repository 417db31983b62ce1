//! Fields of one object tested together: the checks of one stretch whose
//! addresses differ by constants share one branch. Each keeps its own call of
//! the runtime, with its own place in the program.

use super::barrier::Barriers;
use crate::access::{Access, Vtable};
use crate::check::{self, Plan};
use crate::llvm::value::{Block, Value};
use crate::runtime::Runtime;
use std::collections::HashMap;

/// Checks that share one branch.
pub(crate) struct Group {
    /// The instruction in front of which the test goes.
    pub(crate) place: Value,
    /// The checks, at least one.
    pub(crate) members: Vec<Access>,
}

impl From<Access> for Group {
    fn from(access: Access) -> Group {
        Group {
            place: access.place,
            members: vec![access],
        }
    }
}

/// More of them and a single miss would cost too many calls.
const MAX_MEMBERS: usize = 8;

/// Groups the checks of a function.
pub(crate) fn group(
    runtime: &Runtime<'_>,
    barriers: &Barriers,
    accesses: Vec<Access>,
) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut open: HashMap<(Block, u32, Value), usize> = HashMap::new();
    for access in accesses {
        let shared = access.vtable == Vtable::No
            && matches!(check::plan(&access), Plan::KnownOffset(_) | Plan::Granules);
        if !shared {
            groups.push(Group::from(access));
            continue;
        }
        let position = barriers.position(access.place);
        let key = (access.place.block(), position.stretch, access.base);
        let found = open.get(&key).map(|index| &mut groups[*index]);
        if let Some(group) = found.filter(|group| group.members.len() < MAX_MEMBERS) {
            if position < barriers.position(group.place) {
                group.place = access.place;
            }
            group.members.push(access);
            runtime.stats.together.increment();
        } else {
            open.insert(key, groups.len());
            groups.push(Group::from(access));
        }
    }
    groups
}
