//! Things of libraries that several threads have shares of, counted by atomics
//! that nobody sees: whoever gives the last one back comes after all others.
//!
//! Giving a share back may free the thing at once, by functions of the program's
//! own, so the order has to be known before. That who finds itself to be the last
//! comes behind the others here, too, takes that shares of one thing are given
//! back one after the other.

use super::foreign::foreign;
use super::stub::interceptors;
use super::{caller, hook};
use crate::sync::semaphore;
use crate::thread;
use core::ffi::{c_int, c_void};
use core::sync::atomic::{AtomicUsize, Ordering};

type Pointer = *mut c_void;
type Free = unsafe extern "C" fn(Pointer);

/// The things whose shares are being given back, by a hash of their addresses.
static TURNS: [AtomicUsize; 256] = [const { AtomicUsize::new(0) }; 256];

/// A turn is waited for so many times. What the one before does is over by then,
/// or it is the program's own, which may itself wait for this thread.
const PATIENCE: u32 = 1000;

/// Turns of threads that a fork has ended are free.
pub(super) fn alone_in_child() {
    for turn in &TURNS {
        turn.store(0, Ordering::Relaxed);
    }
}

/// Has `real` give back a share of the thing at `addr`.
fn give_back<R>(addr: usize, real: impl FnOnce() -> R) -> R {
    let pc = caller();
    if addr == 0 || thread::current().is_none() {
        return real();
    }
    let turn = &TURNS[(addr >> 4) % TURNS.len()];
    let own = takes(turn, addr);
    hook(|| {
        semaphore::posting(addr, pc);
        semaphore::waited(addr, pc);
    });
    let result = real();
    if own {
        turn.store(0, Ordering::Release);
    }
    result
}

/// Takes a turn if it is free before long, or somebody else's thing has it.
fn takes(turn: &AtomicUsize, addr: usize) -> bool {
    for _ in 0..PATIENCE {
        match turn.compare_exchange(0, addr, Ordering::Acquire, Ordering::Relaxed) {
            Ok(_) => return true,
            Err(other) if other != addr => return false,
            // SAFETY: takes no arguments.
            Err(_) => unsafe { libc::sched_yield() },
        };
    }
    false
}

/// Defines functions that give back a share of their only argument: the name,
/// once more as C has it, and an identifier.
macro_rules! given_back {
    ($($name:literal $c_name:literal $id:ident;)+) => {
        $(
            unsafe extern "C" fn $id(thing: Pointer) {
                foreign! { [
                    c"libglib-2.0.so.0", c"libgobject-2.0.so.0", c"libgio-2.0.so.0",
                    c"libgstreamer-1.0.so.0", c"libdbus-1.so.3"
                ]
                    REAL = $c_name: fn(Pointer);
                }
                // SAFETY: the program's own argument.
                give_back(thing.addr(), || unsafe { REAL.get()(thing) })
            }
        )+
        interceptors! {
            $($name => $id,)+
            "g_atomic_rc_box_release_full" => release_box,
            "g_bytes_unref_to_array" => bytes_to_array,
            "g_bytes_unref_to_data" => bytes_to_data,
            "g_atomic_ref_count_dec" => count_down,
        }
    };
}

given_back! {
    "g_array_unref" c"g_array_unref" array_unref;
    "g_async_queue_unref" c"g_async_queue_unref" async_queue_unref;
    "g_atomic_rc_box_release" c"g_atomic_rc_box_release" atomic_rc_box_release;
    "g_byte_array_unref" c"g_byte_array_unref" byte_array_unref;
    "g_bytes_unref" c"g_bytes_unref" bytes_unref;
    "g_closure_unref" c"g_closure_unref" closure_unref;
    "g_date_time_unref" c"g_date_time_unref" date_time_unref;
    "g_dbus_interface_info_unref" c"g_dbus_interface_info_unref" dbus_interface_info_unref;
    "g_dbus_node_info_unref" c"g_dbus_node_info_unref" dbus_node_info_unref;
    "g_file_attribute_info_list_unref" c"g_file_attribute_info_list_unref" file_attribute_info_list_unref;
    "g_file_attribute_matcher_unref" c"g_file_attribute_matcher_unref" file_attribute_matcher_unref;
    "g_hash_table_destroy" c"g_hash_table_destroy" hash_table_destroy;
    "g_hash_table_unref" c"g_hash_table_unref" hash_table_unref;
    "g_io_channel_unref" c"g_io_channel_unref" io_channel_unref;
    "g_key_file_unref" c"g_key_file_unref" key_file_unref;
    "g_main_context_unref" c"g_main_context_unref" main_context_unref;
    "g_main_loop_unref" c"g_main_loop_unref" main_loop_unref;
    "g_mapped_file_unref" c"g_mapped_file_unref" mapped_file_unref;
    "g_markup_parse_context_unref" c"g_markup_parse_context_unref" markup_parse_context_unref;
    "g_match_info_unref" c"g_match_info_unref" match_info_unref;
    "g_object_unref" c"g_object_unref" object_unref;
    "g_option_group_unref" c"g_option_group_unref" option_group_unref;
    "g_param_spec_unref" c"g_param_spec_unref" param_spec_unref;
    "g_ptr_array_unref" c"g_ptr_array_unref" ptr_array_unref;
    "g_ref_string_release" c"g_ref_string_release" ref_string_release;
    "g_regex_unref" c"g_regex_unref" regex_unref;
    "g_resource_unref" c"g_resource_unref" resource_unref;
    "g_settings_schema_source_unref" c"g_settings_schema_source_unref" settings_schema_source_unref;
    "g_settings_schema_unref" c"g_settings_schema_unref" settings_schema_unref;
    "g_source_unref" c"g_source_unref" source_unref;
    "g_strv_builder_unref" c"g_strv_builder_unref" strv_builder_unref;
    "g_time_zone_unref" c"g_time_zone_unref" time_zone_unref;
    "g_tree_unref" c"g_tree_unref" tree_unref;
    "g_uri_unref" c"g_uri_unref" uri_unref;
    "g_variant_builder_unref" c"g_variant_builder_unref" variant_builder_unref;
    "g_variant_dict_unref" c"g_variant_dict_unref" variant_dict_unref;
    "g_variant_unref" c"g_variant_unref" variant_unref;
    "gst_mini_object_unref" c"gst_mini_object_unref" mini_object_unref;
    "dbus_connection_unref" c"dbus_connection_unref" connection_unref;
    "dbus_message_unref" c"dbus_message_unref" message_unref;
    "dbus_pending_call_unref" c"dbus_pending_call_unref" pending_call_unref;
    "dbus_server_unref" c"dbus_server_unref" server_unref;
}

foreign! { [c"libglib-2.0.so.0"]
    RELEASE_BOX = c"g_atomic_rc_box_release_full": fn(Pointer, Free);
    BYTES_TO_ARRAY = c"g_bytes_unref_to_array": fn(Pointer) -> Pointer;
    BYTES_TO_DATA = c"g_bytes_unref_to_data": fn(Pointer, Pointer) -> Pointer;
    COUNT_DOWN = c"g_atomic_ref_count_dec": fn(Pointer) -> c_int;
}

// SAFETY of the calls below: the program's own arguments.

unsafe extern "C" fn release_box(thing: Pointer, clear: Free) {
    // SAFETY: see above.
    give_back(thing.addr(), || unsafe { RELEASE_BOX.get()(thing, clear) })
}

unsafe extern "C" fn bytes_to_array(thing: Pointer) -> Pointer {
    // SAFETY: see above.
    give_back(thing.addr(), || unsafe { BYTES_TO_ARRAY.get()(thing) })
}

unsafe extern "C" fn bytes_to_data(thing: Pointer, size: Pointer) -> Pointer {
    // SAFETY: see above.
    give_back(thing.addr(), || unsafe { BYTES_TO_DATA.get()(thing, size) })
}

/// A count of the program's own. What follows is up to the program, so that who
/// is the last needs to be known no sooner than it is.
unsafe extern "C" fn count_down(count: Pointer) -> c_int {
    let pc = caller();
    hook(|| semaphore::posting(count.addr(), pc));
    // SAFETY: see above.
    let last = unsafe { COUNT_DOWN.get()(count) };
    if last != 0 {
        hook(|| semaphore::waited(count.addr(), pc));
    }
    last
}
