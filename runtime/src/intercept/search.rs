//! Trees, tables and lists in which libc searches for the program.
//!
//! What it keeps for itself is not seen when it is touched. A word of each
//! stands for all of it: two pointers of a tree's root, the fields of a table.

use super::library::{Call, library};
use core::ffi::{c_char, c_int, c_uint, c_void};

type Key = *const c_void;
type Compare = unsafe extern "C" fn(*const c_void, *const c_void) -> c_int;
type Visit = unsafe extern "C" fn(*const c_void, c_int, c_int);
type Release = unsafe extern "C" fn(*mut c_void);
type VisitWith = unsafe extern "C" fn(*const c_void, c_int, *mut c_void);

/// A node of a tree, as far as it is known.
#[repr(C)]
struct Node {
    /// The program may look at it: it has the nodes' addresses.
    key: Key,
    left: *mut Node,
}

/// Goes over what every search reads of a tree; its root before the search.
///
/// # Safety
/// `root` must be null or a variable.
unsafe fn searching(call: &Call, root: *const *mut Node) -> *mut Node {
    // SAFETY: passed on.
    let Some(&node) = (unsafe { root.as_ref() }) else {
        return core::ptr::null_mut();
    };
    call.check(|touches| touches.reads_one(root));
    visiting(call, node);
    node
}

/// Goes over what is read of the tree below `node`.
fn visiting(call: &Call, node: *mut Node) {
    if !node.is_null() {
        call.reads(pointers(node), size_of::<*mut Node>());
    }
}

/// The pointers that stand for the tree.
fn pointers(node: *mut Node) -> *const *mut Node {
    node.wrapping_byte_add(core::mem::offset_of!(Node, left))
        .cast()
}

/// The tree, whose root was at `before`, has changed. A root that another has
/// taken the place of may be gone.
///
/// # Safety
/// `root` must be a variable.
unsafe fn changed(call: &Call, root: *const *mut Node, before: *mut Node) {
    // SAFETY: passed on.
    if unsafe { *root } == before {
        call.writes(pointers(before), size_of::<*mut Node>());
    } else {
        call.check(|touches| touches.writes_one(root));
    }
}

/// `struct hsearch_data`.
#[repr(C)]
struct Table {
    entries: *mut c_void,
    size: c_uint,
    filled: c_uint,
}

library! {
    fn tsearch(key: Key, root: *mut *mut Node, compare: Compare) -> *mut Node |call, real| {
        let before = searching(&call, root);
        let node = real(key, root, compare);
        if !node.is_null() {
            changed(&call, root, before);
        }
        node
    }
    fn tfind(key: Key, root: *const *mut Node, compare: Compare) -> *mut Node |call, real| {
        searching(&call, root);
        real(key, root, compare)
    }
    fn tdelete(key: Key, root: *mut *mut Node, compare: Compare) -> *mut c_void |call, real| {
        let before = searching(&call, root);
        let parent = real(key, root, compare);
        if !parent.is_null() {
            changed(&call, root, before);
        }
        parent
    }
    fn twalk(root: *mut Node, visit: Visit) |call, real| {
        visiting(&call, root);
        real(root, visit)
    }
    fn twalk_r(root: *mut Node, visit: VisitWith, with: *mut c_void) |call, real| {
        visiting(&call, root);
        real(root, visit, with)
    }
    fn tdestroy(root: *mut Node, release: Release) |call, real| {
        if !root.is_null() {
            call.writes(pointers(root), size_of::<*mut Node>());
        }
        real(root, release)
    }
    fn hcreate_r(count: usize, table: *mut Table) -> c_int |call, real| {
        let result = real(count, table);
        if result != 0 {
            call.check(|touches| touches.writes_one(table));
        }
        result
    }
    fn hdestroy_r(table: *mut Table) |call, real| {
        call.check(|touches| touches.writes_one(table));
        real(table)
    }
    fn hsearch_r(key: *mut c_char, data: *mut c_void, action: c_int, found: *mut *mut c_void, table: *mut Table) -> c_int |call, real| {
        call.check(|touches| {
            touches.reads_text(key);
            touches.reads_one(table);
        });
        let filled = (*table).filled;
        let result = real(key, data, action, found, table);
        call.check(|touches| {
            touches.writes_one(found);
            if (*table).filled != filled {
                touches.writes_one(&raw const (*table).filled);
            }
        });
        result
    }
    fn lsearch(key: Key, start: *mut c_void, count: *mut usize, size: usize, compare: Compare) -> *mut c_void |call, real| {
        call.check(|touches| touches.reads_one(count));
        let before = *count;
        let found = real(key, start, count, size, compare);
        if *count != before {
            call.check(|touches| {
                touches.reads(key, size);
                touches.writes(found, size);
                touches.writes_one(count);
            });
        }
        found
    }
    fn lfind(key: Key, start: *const c_void, count: *mut usize, size: usize, compare: Compare) -> *mut c_void |call, real| {
        call.check(|touches| touches.reads_one(count));
        real(key, start, count, size, compare)
    }
}
