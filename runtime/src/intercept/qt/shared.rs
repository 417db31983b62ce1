//! Data that Qt's values share: texts, lists and the like.
//!
//! An event's copies of its arguments are the library's to forget, in the thread
//! that it was delivered to; that this changes a count nobody sees. Who frees
//! such data comes after the deliveries up to then.

use super::{Pointer, events};
use crate::intercept::foreign::foreign;
use crate::intercept::stub::interceptors;

foreign! { [c"libQt5Core.so.5", c"libQt6Core.so.6"]
    FREE_ARRAY = c"_ZN10QArrayData10deallocateEPS_mm": fn(Pointer, usize, usize);
    FREE_ARRAY_OF_6 = c"_ZN10QArrayData10deallocateEPS_xx": fn(Pointer, isize, isize);
    FREE_LIST = c"_ZN9QListData7disposeEPNS_4DataE": fn(Pointer);
    FREE_MAP = c"_ZN12QMapDataBase8freeDataEPS_": fn(Pointer);
    FREE_TABLE = c"_ZN9QHashData11free_helperEPFvPNS_4NodeEE": fn(Pointer, Pointer);
}

interceptors! {
    "_ZN10QArrayData10deallocateEPS_mm" => free_array,
    "_ZN10QArrayData10deallocateEPS_xx" => free_array_of_6,
    "_ZN9QListData7disposeEPNS_4DataE" => free_list,
    "_ZN12QMapDataBase8freeDataEPS_" => free_map,
    "_ZN9QHashData11free_helperEPFvPNS_4NodeEE" => free_table,
}

// SAFETY of the calls below: the program's own arguments.

unsafe extern "C" fn free_array(data: Pointer, size: usize, alignment: usize) {
    events::all_delivered();
    // SAFETY: see above.
    unsafe { FREE_ARRAY.get()(data, size, alignment) }
}

unsafe extern "C" fn free_array_of_6(data: Pointer, size: isize, alignment: isize) {
    events::all_delivered();
    // SAFETY: see above.
    unsafe { FREE_ARRAY_OF_6.get()(data, size, alignment) }
}

unsafe extern "C" fn free_list(data: Pointer) {
    events::all_delivered();
    // SAFETY: see above.
    unsafe { FREE_LIST.get()(data) }
}

unsafe extern "C" fn free_map(data: Pointer) {
    events::all_delivered();
    // SAFETY: see above.
    unsafe { FREE_MAP.get()(data) }
}

unsafe extern "C" fn free_table(data: Pointer, delete: Pointer) {
    events::all_delivered();
    // SAFETY: see above.
    unsafe { FREE_TABLE.get()(data, delete) }
}
