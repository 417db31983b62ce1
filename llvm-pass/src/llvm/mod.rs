//! A small safe layer over LLVM's C API and the shim.
//!
//! Handles are plain pointers into the module the host compiler owns. They
//! are only made from that module while the pass runs on it, and the pass
//! drops its copies of an instruction before it erases the instruction; on
//! that rests every unsafe block below this module, and nothing above it
//! needs one.

pub(crate) mod analysis;
pub(crate) mod builder;
pub(crate) mod flow;
pub(crate) mod module;
pub(crate) mod shim;
pub(crate) mod types;
pub(crate) mod value;

#[cfg(feature = "llvm18")]
pub(crate) use llvm_sys_181 as sys;
#[cfg(feature = "llvm19")]
pub(crate) use llvm_sys_191 as sys;
#[cfg(feature = "llvm22")]
pub(crate) use llvm_sys_221 as sys;

/// Calls into LLVM with handles that the module header argues are live.
macro_rules! call {
    ($call:expr) => {
        // SAFETY: see the header of `llvm/mod.rs`: every handle passed is live.
        unsafe { $call }
    };
}
pub(crate) use call;
