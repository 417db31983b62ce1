//! Copies that a rewritten library leaves to the C library.
//!
//! Instrumented code calls checked versions of `memcpy` and friends; in a
//! rewritten library the slots of its import table are led to the same ones.

use super::modules::Module;
use crate::os;
use core::ffi::CStr;

#[cfg(not(test))]
unsafe extern "C" {
    fn __racert_memcpy();
    fn __racert_memmove();
    fn __racert_memset();
}

const JUMP_SLOT: u64 = 7;
const GLOB_DAT: u64 = 6;

#[cfg(test)]
fn replacement(_name: &CStr) -> Option<usize> {
    None
}

#[cfg(not(test))]
fn replacement(name: &CStr) -> Option<usize> {
    let function: unsafe extern "C" fn() = match name.to_bytes() {
        b"memcpy" => __racert_memcpy,
        b"memmove" => __racert_memmove,
        b"memset" => __racert_memset,
        _ => return None,
    };
    Some(function as *const () as usize)
}

/// What the dynamic section says, addresses in memory.
#[derive(Default)]
struct Dynamic {
    symbols: usize,
    strings: usize,
    tables: [(usize, usize); 2],
}

fn dynamic(module: &Module<'_>) -> Option<Dynamic> {
    let segment = module
        .headers
        .iter()
        .find(|h| h.p_type == libc::PT_DYNAMIC)?;
    let mut at = (module.bias + segment.p_vaddr as usize) as *const [usize; 2];
    let mut found = Dynamic::default();
    // The loader has turned addresses here into addresses in memory, or not,
    // if it is still at work.
    let absolute = |value: usize| {
        if value < module.bias {
            module.bias + value
        } else {
            value
        }
    };
    loop {
        // SAFETY: the section ends with a zero entry.
        let [tag, value] = unsafe { at.read() };
        match tag {
            0 => break,
            2 => found.tables[0].1 = value,
            5 => found.strings = absolute(value),
            6 => found.symbols = absolute(value),
            7 => found.tables[1].0 = absolute(value),
            8 => found.tables[1].1 = value,
            23 => found.tables[0].0 = absolute(value),
            _ => {}
        }
        at = at.wrapping_add(1);
    }
    (found.symbols != 0 && found.strings != 0).then_some(found)
}

/// Leads the module's imports of copying functions to the checked ones.
pub(super) fn redirect(module: &Module<'_>) {
    let Some(dynamic) = dynamic(module) else {
        return;
    };
    // The table may be read-only by now; this file does not mind.
    let Ok(memory) = os::File::open_for_writing(b"/proc/self/mem") else {
        return;
    };
    for (table, bytes) in dynamic.tables {
        for index in 0..bytes / size_of::<libc::Elf64_Rela>() {
            // SAFETY: within the table that the loader itself walks.
            let relocation = unsafe { (table as *const libc::Elf64_Rela).add(index).read() };
            let (symbol, kind) = (relocation.r_info >> 32, relocation.r_info & 0xffff_ffff);
            if symbol == 0 || !(kind == JUMP_SLOT || kind == GLOB_DAT) {
                continue;
            }
            // SAFETY: the loader uses the same symbol and name.
            let name = unsafe {
                let symbol = (dynamic.symbols as *const libc::Elf64_Sym).add(symbol as usize);
                CStr::from_ptr((dynamic.strings + (*symbol).st_name as usize) as *const i8)
            };
            if let Some(function) = replacement(name) {
                let slot = (module.bias as u64).wrapping_add(relocation.r_offset);
                // What cannot be led elsewhere stays unchecked.
                let _ = memory.write_at(slot, &function.to_ne_bytes());
            }
        }
    }
}
