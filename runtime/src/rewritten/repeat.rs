//! Accesses that do again what was done before in this segment.
//!
//! Code that takes and gives back locks all the time begins segments so often
//! that most of its accesses are the first ones there. What their records are
//! is mostly known: see [`crate::log::memo`].

use crate::engine;
use crate::log::site::Site;
use crate::shadow::word::Touch;
use crate::shadow::{is_application, word_of};
use crate::sync::table;
use crate::thread::Thread;

/// Records a plain access within one granule if its record is known and the
/// granule is this thread's own or nobody's; `false` if nothing was done.
#[inline]
pub(super) fn access(
    me: &mut Thread,
    (addr, size): (usize, u32),
    write: bool,
    site: &Site,
) -> bool {
    let offset = addr & 7;
    let fits = size <= 8 && offset + size as usize <= 8 && is_application(addr, 8);
    // What has to be seen by the engine, or may be a sync variable.
    if !fits || me.recorder.transitions().is_null() || table::is_near(addr) {
        return false;
    }
    let touch = Touch {
        bytes: (0xffu8 >> (8 - size)) << offset,
        write,
        atomic: false,
    };
    engine::repeat(&mut me.recorder, word_of(addr), touch, site)
}
