//! Tables of virtual functions that stand in for those of single objects.
//!
//! A class may have any number of virtual functions and bases, and programs go
//! on calling the former and asking for the latter. So a copy has more on both
//! sides than one class will need, and all of it, but for the functions that
//! are replaced, is as it was.

use super::Pointer;
use crate::os::{self, PAGE};
use crate::spin::SpinLock;
use alloc::collections::BTreeMap;
use core::sync::atomic::{AtomicPtr, Ordering};

/// An object: its table comes first.
#[repr(transparent)]
pub(super) struct Object {
    table: AtomicPtr<Functions>,
}

/// Functions of one class.
type Functions = [usize; FUNCTIONS];
const FUNCTIONS: usize = 228;
/// Words before them: where the whole object is, of what class, and where its
/// virtual bases are.
const BEFORE: usize = 16;

/// A table that stands in for another one.
#[repr(C)]
pub(super) struct StandIn {
    /// The other one.
    original: usize,
    /// Who the object was given to; 0 for several, or too many.
    pub(super) owner: usize,
    /// What its first functions were.
    was: [usize; REPLACED],
    before: [usize; BEFORE],
    functions: Functions,
}

/// Functions that may be replaced are among so many, the first ones.
const REPLACED: usize = 9;
/// Two fill a page.
const SIZE: usize = PAGE / 2;
const _: () = assert!(size_of::<StandIn>() <= SIZE);

/// A virtual function without arguments, and what it returns, if anything.
pub(super) type Function = unsafe extern "C" fn(*mut Object) -> usize;
/// Which functions are replaced, and by what.
pub(super) type Replacement = [(usize, Function)];

/// Memory that is made at a time.
const ROOM: usize = 16 * PAGE;
/// Stand-ins that know their owner. There are as many as pairs of a class and
/// an owner.
const OWNED: usize = 4096;

/// The stand-ins of one kind, by the tables they stand in for and the owner.
pub(super) struct StandIns {
    known: BTreeMap<(usize, usize), usize>,
    room: usize,
    end: usize,
}

impl StandIns {
    pub(super) const fn new() -> StandIns {
        StandIns {
            known: BTreeMap::new(),
            room: 0,
            end: 0,
        }
    }

    /// The functions to use for `owner` in place of those at `original`.
    fn of(&mut self, original: usize, owner: usize, new: &Replacement) -> Option<*mut Functions> {
        let owner = if self.known.len() < OWNED { owner } else { 0 };
        if let Some(own) = self.known.get(&(original, owner)) {
            return Some(core::ptr::with_exposed_provenance_mut(*own));
        }
        let (before, mut functions) = read(original)?;
        let was = core::array::from_fn(|i| functions[i]);
        for (index, new) in new {
            functions[*index] = *new as usize;
        }
        if self.room == self.end {
            self.room = os::map_anywhere(ROOM).ok()?.expose_provenance();
            self.end = self.room + ROOM;
        }
        let place = core::ptr::with_exposed_provenance_mut::<StandIn>(self.room);
        // SAFETY: there is room for one more.
        unsafe {
            place.write(StandIn {
                original,
                owner,
                was,
                before,
                functions,
            });
        }
        self.room += SIZE;
        let own = place
            .wrapping_byte_add(core::mem::offset_of!(StandIn, functions))
            .cast::<Functions>();
        self.known
            .insert((original, owner), own.expose_provenance());
        Some(own)
    }
}

/// What stands before and behind `table`, as far as there is memory.
fn read(table: usize) -> Option<([usize; BEFORE], Functions)> {
    const WORD: usize = size_of::<usize>();
    let words = |from: usize, bytes: &mut [u8]| os::read_memory(from as u64, bytes) / WORD;
    let word = |bytes: &[u8]| usize::from_ne_bytes(*bytes.first_chunk().unwrap_or(&[0; WORD]));
    let mut before = [0; BEFORE * WORD];
    if words(table.checked_sub(before.len())?, &mut before) < BEFORE {
        // Every table has two.
        let last = (BEFORE - 2) * WORD;
        words(table - 2 * WORD, &mut before[last..]);
    }
    let mut behind = [0; FUNCTIONS * WORD];
    if words(table, &mut behind) < REPLACED {
        return None;
    }
    Some((
        core::array::from_fn(|i| word(&before[i * WORD..])),
        core::array::from_fn(|i| word(&behind[i * WORD..])),
    ))
}

/// The stand-in that has these functions.
fn around(functions: *mut Functions) -> *const StandIn {
    functions
        .wrapping_byte_sub(core::mem::offset_of!(StandIn, functions))
        .cast()
}

/// Gives `object` a stand-in from `all`, for `owner`.
///
/// # Safety
/// It must be an object with virtual functions.
pub(super) unsafe fn put(
    object: *mut Object,
    owner: usize,
    all: &SpinLock<StandIns>,
    new: &Replacement,
) {
    // SAFETY: passed on; every class has at least the functions that are
    // replaced, and what has ours is a stand-in.
    unsafe {
        let table = (*object).table.load(Ordering::Relaxed);
        if table.is_null() {
            return;
        }
        let (original, owner) = if is_one(&*table, new) {
            let known = &*around(table);
            if known.owner == owner || known.owner == 0 {
                return;
            }
            (known.original, 0)
        } else {
            (table.expose_provenance(), owner)
        };
        if let Some(own) = all.lock().of(original, owner, new) {
            (*object).table.store(own, Ordering::Relaxed);
        }
    }
}

/// Are these the functions of a stand-in?
fn is_one(functions: &Functions, new: &Replacement) -> bool {
    new.iter()
        .all(|(index, new)| functions[*index] == *new as usize)
}

/// Has `object` a stand-in with those?
///
/// # Safety
/// As [`put`].
pub(super) unsafe fn has(object: *mut Object, new: &Replacement) -> bool {
    // SAFETY: passed on.
    unsafe {
        let table = (*object).table.load(Ordering::Relaxed);
        !table.is_null() && is_one(&*table, new)
    }
}

/// The stand-in that `object` has.
///
/// # Safety
/// It must have one.
pub(super) unsafe fn of<'a>(object: *mut Object) -> &'a StandIn {
    // SAFETY: passed on; stand-ins stay.
    unsafe { &*around((*object).table.load(Ordering::Relaxed)) }
}

/// Calls what function number `index` of `object` was.
///
/// # Safety
/// That must be a [`Function`], or one that returns nothing.
pub(super) unsafe fn call(stand_in: &StandIn, index: usize, object: *mut Object) -> usize {
    let was = core::ptr::with_exposed_provenance::<()>(stand_in.was[index]);
    // SAFETY: passed on.
    unsafe { core::mem::transmute::<*const (), Function>(was)(object) }
}

impl Object {
    /// The object at an address.
    pub(super) fn at(object: Pointer) -> *mut Object {
        object.cast()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::sync::atomic::AtomicUsize;

    static CALLS: AtomicUsize = AtomicUsize::new(0);

    unsafe extern "C" fn function(_: *mut Object) -> usize {
        CALLS.fetch_add(1, Ordering::Relaxed)
    }

    unsafe extern "C" fn replacement(object: *mut Object) -> usize {
        // SAFETY: called through a stand-in.
        unsafe { call(of(object), 0, object) }
    }

    #[test]
    fn all_but_what_is_replaced_is_as_it_was() {
        let all = SpinLock::new(StandIns::new());
        let new: [(usize, Function); 1] = [(0, replacement)];
        let mut table = [7; BEFORE + FUNCTIONS + 8];
        table[BEFORE - 1] = 5;
        table[BEFORE] = function as *const () as usize;
        table[BEFORE + 9] = 9;
        let functions = table[BEFORE..].as_mut_ptr().cast();
        let mut object = Object {
            table: AtomicPtr::new(functions),
        };
        let owner_of = |object: *mut Object| {
            // SAFETY: it has a stand-in.
            unsafe { of(object).owner }
        };
        let put = |object: *mut Object, owner| {
            // SAFETY: it has functions.
            unsafe { super::put(object, owner, &all, &new) };
        };
        put(&mut object, 16);
        assert_eq!(owner_of(&mut object), 16);
        // SAFETY: as above.
        assert!(unsafe { has(&mut object, &new) });
        let stand_in = object.table.load(Ordering::Relaxed);
        // SAFETY: the table just made.
        let words = unsafe {
            let before = stand_in.cast::<usize>().sub(BEFORE);
            core::slice::from_raw_parts(before, BEFORE + FUNCTIONS)
        };
        assert_eq!(words[BEFORE], replacement as *const () as usize);
        assert_eq!(words[..BEFORE], table[..BEFORE]);
        assert_eq!(words[BEFORE + 1..], table[BEFORE + 1..][..FUNCTIONS - 1]);
        // SAFETY: it has a stand-in.
        unsafe { replacement(&mut object) };
        assert_eq!(CALLS.load(Ordering::Relaxed), 1);

        put(&mut object, 16);
        assert_eq!(object.table.load(Ordering::Relaxed), stand_in);
        put(&mut object, 32);
        assert_eq!(owner_of(&mut object), 0);
        put(&mut object, 16);
        assert_eq!(owner_of(&mut object), 0);

        object.table = AtomicPtr::new(functions);
        put(&mut object, 16);
        assert_eq!(object.table.load(Ordering::Relaxed), stand_in);
    }

    #[test]
    fn what_has_no_functions_has_no_stand_in() {
        let mut all = StandIns::new();
        assert!(all.of(8 * PAGE, 16, &[]).is_none());
        assert!(all.of(8, 16, &[]).is_none());
    }
}
