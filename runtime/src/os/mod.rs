//! The kernel, without libc in between.
//!
//! The runtime intercepts libc's wrappers, so its own calls go straight to the
//! kernel: they cannot come back through an interceptor, and they leave the
//! program's `errno` alone.

mod area;
mod call;
mod child;
mod descriptor;
pub use area::{
    after_fork as area_after_fork, before_fork as area_before_fork, reserve as reserve_area,
};
pub use call::Errno;
pub use child::output_of;
mod file;
mod futex;
mod inspect;
mod limits;
mod memory;
mod path;
mod pending;
mod process;
mod restart;
mod signal;
mod stack;

pub use descriptor::{FileStatus, SOCKET_ADDRESS, Side, file_status, socket_address, socket_type};
pub use file::{File, MappedFile, STDERR, map_shared, write_all};
pub use futex::{futex_wait, futex_wake};
pub use inspect::{is_set_uid, is_terminal, read_memory, shared_memory, shared_range_at};
pub use limits::{
    lift_reservation_limits, main_stack, reservation_limit, reservations_count_as_use,
};
pub use memory::{
    PAGE, advise_dont_dump, advise_dont_need, advise_no_huge_pages, advise_populate,
    advise_wipe_on_fork, map, map_anywhere, present_pages, reserve_at, resident_pages, unmap,
};
pub use path::{current_directory, is_directory, make_directory, open_plain, program};
pub use pending::{let_through, put_off};
pub use process::{
    abort, exit_group, getpid, gettid, memory_barrier_everywhere, monotonic_ns, processor,
    realtime_ns, sched_yield, sleep_ms, sleep_us,
};
pub use restart::restart_in_standard_layout;
pub use signal::{SignalsBlocked, block_signals, set_mask, unblock_signals};
pub use stack::on_fresh_stack;
