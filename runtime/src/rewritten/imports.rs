//! Copies that a rewritten library leaves to the C library.
//!
//! Instrumented code calls checked versions of `memcpy` and friends; in a
//! rewritten library the slots of its import table are led to the same ones.

use super::modules::Module;
use crate::imports;

#[cfg(not(test))]
unsafe extern "C" {
    fn __racert_memcpy();
    fn __racert_memmove();
    fn __racert_memset();
}

#[cfg(test)]
fn replacement(_name: &[u8]) -> Option<usize> {
    None
}

#[cfg(not(test))]
fn replacement(name: &[u8]) -> Option<usize> {
    let function: unsafe extern "C" fn() = match name {
        b"memcpy" => __racert_memcpy,
        b"memmove" => __racert_memmove,
        b"memset" => __racert_memset,
        _ => return None,
    };
    Some(function as *const () as usize)
}

/// Leads the module's imports of copying functions to the checked ones.
pub(super) fn redirect(module: &Module<'_>) {
    imports::redirect(module.bias, module.headers, replacement);
}
