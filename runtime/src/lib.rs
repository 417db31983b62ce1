//! The racert runtime: what instrumented programs link against.
//!
//! Follow one memory access downwards through the modules: [`entry`] is what
//! the instrumented code calls, [`engine`] decides, [`shadow`] and [`log`] hold
//! what earlier accesses left behind, [`clock`] and [`sync`] say what is
//! ordered, and [`finding`] carries a race to [`report`].
//!
//! Everything runs inside somebody else's process: memory comes from
//! [`arena`], system calls from [`os`], nothing from the program's libc heap.
#![cfg_attr(not(test), no_std)]

extern crate alloc;

pub mod access;
pub mod annotate;
mod api;
pub mod arena;
mod ceiling;
pub mod clock;
pub mod descriptor;
pub mod engine;
pub mod entry;
pub mod finding;
pub mod handover;
pub mod heap;
mod imports;
pub mod init;
pub mod intercept;
mod internal_error;
pub mod interned;
mod live;
mod loaded;
mod loading;
pub mod lock;
pub mod lockset;
pub mod log;
pub mod loops;
mod omp;
pub mod options;
pub mod os;
pub mod process;
pub mod recorder;
pub mod report;
mod report_race;
pub mod rewritten;
pub mod shadow;
pub mod signal;
pub mod slot;
pub mod spans;
pub mod spin;
pub mod stack;
mod static_buffer;
pub mod suppress;
pub mod symbol;
pub mod sync;
pub mod thread;
pub mod tls;
pub mod tsan;
