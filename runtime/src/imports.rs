//! The import tables of loaded files, whose slots can be led elsewhere.

use crate::os;
use core::ffi::CStr;

const JUMP_SLOT: u64 = 7;
const GLOB_DAT: u64 = 6;

/// What the dynamic section says, addresses in memory.
#[derive(Default)]
struct Dynamic {
    symbols: usize,
    strings: usize,
    tables: [(usize, usize); 2],
}

fn dynamic(bias: usize, headers: &[libc::Elf64_Phdr]) -> Option<Dynamic> {
    let segment = headers.iter().find(|h| h.p_type == libc::PT_DYNAMIC)?;
    let mut at = (bias + segment.p_vaddr as usize) as *const [usize; 2];
    let mut found = Dynamic::default();
    // The loader has turned addresses here into addresses in memory, or not,
    // if it is still at work.
    let absolute = |value: usize| {
        if value < bias { bias + value } else { value }
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

/// Leads the imports of a loaded file elsewhere: those for whose names there is
/// a `replacement`.
pub(crate) fn redirect(
    bias: usize,
    headers: &[libc::Elf64_Phdr],
    replacement: impl Fn(&[u8]) -> Option<usize>,
) {
    let Some(dynamic) = dynamic(bias, headers) else {
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
            if let Some(function) = replacement(name.to_bytes()) {
                let slot = (bias as u64).wrapping_add(relocation.r_offset);
                // What cannot be led elsewhere stays as it is.
                let _ = memory.write_at(slot, &function.to_ne_bytes());
            }
        }
    }
}
