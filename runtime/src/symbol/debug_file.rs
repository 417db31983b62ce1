//! Where the debug information of a module is, if not in the module itself.
//!
//! The places are those gdb looks at: by build id under `/usr/lib/debug` and
//! among what debuginfod's client has [fetched](super::fetched), by the name in `.gnu_debuglink` beside the module, in `.debug` beside it, and
//! under `/usr/lib/debug`. What several debug files share (dwz) is named by
//! `.gnu_debugaltlink`.

use super::decompress::Section;
use super::elf::Elf;
use super::fetched;
use super::paths::{folder, join};
use crate::os::MappedFile;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

const ROOT: &str = "/usr/lib/debug";

/// Digits of a build id.
pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Does `elf` bring line information along?
pub(super) fn has_debug_info(elf: &Elf<'_>) -> bool {
    elf.has_section(".debug_info") || elf.has_section(".zdebug_info")
}

/// Finds the separate debug file of the module `elf` at `path`.
pub(super) fn find(path: &str, elf: &Elf<'_>) -> Option<(String, MappedFile)> {
    let id = elf.build_id();
    if let Some(id) = &id
        && let Some(file) = by_build_id(id)
    {
        return Some(file);
    }
    let link = contents(elf, ".gnu_debuglink")?;
    let end = link.iter().position(|byte| *byte == 0)?;
    let name = core::str::from_utf8(link.get(..end)?).ok()?;
    // The checksum follows at the next multiple of four.
    let crc = link.get((end + 4) & !3..)?.first_chunk::<4>()?;
    let folder = folder(path);
    [
        format!("{folder}/{name}"),
        format!("{folder}/.debug/{name}"),
        format!("{ROOT}{folder}/{name}"),
    ]
    .into_iter()
    .filter(|candidate| candidate != path)
    .find_map(|candidate| {
        let file = MappedFile::open(candidate.as_bytes()).ok()?;
        let other = Elf::parse(file.bytes())?;
        let same = match (&id, other.build_id()) {
            (Some(id), Some(other)) => *id == other,
            _ => crc32(file.bytes()) == u32::from_le_bytes(*crc),
        };
        same.then_some((candidate, file))
    })
}

fn by_build_id(id: &[u8]) -> Option<(String, MappedFile)> {
    let (first, rest) = id.split_first()?;
    let system = format!("{ROOT}/.build-id/{first:02x}/{}.debug", hex(rest));
    let candidates = [Some(system), fetched::path(&hex(id))];
    candidates.into_iter().flatten().find_map(|path| {
        let file = MappedFile::open(path.as_bytes()).ok()?;
        let same = Elf::parse(file.bytes())?.build_id().as_deref() == Some(id);
        same.then_some((path, file))
    })
}

/// Finds the file that `elf`, a file with debug information at `path`, shares
/// parts with.
pub(super) fn find_shared(path: &str, elf: &Elf<'_>) -> Option<MappedFile> {
    let link = contents(elf, ".gnu_debugaltlink")?;
    let end = link.iter().position(|byte| *byte == 0)?;
    let name = core::str::from_utf8(link.get(..end)?).ok()?;
    let id = link.get(end + 1..)?;
    let named = join(folder(path), name);
    let file = MappedFile::open(named.as_bytes())
        .ok()
        .filter(|file| {
            let build_id = Elf::parse(file.bytes()).and_then(|elf| elf.build_id());
            build_id.as_deref() == Some(id)
        })
        .or_else(|| by_build_id(id).map(|(_, file)| file))?;
    Some(file)
}

fn contents(elf: &Elf<'_>, name: &str) -> Option<Vec<u8>> {
    match elf.section(name)? {
        Section::Stored(bytes) => Some(bytes.to_vec()),
        Section::Unpacked(bytes) => Some(bytes),
    }
}

/// The CRC-32 that `.gnu_debuglink` uses (polynomial 0x04c11db7, reflected).
fn crc32(bytes: &[u8]) -> u32 {
    const TABLE: [u32; 256] = {
        let mut table = [0; 256];
        let mut i = 0;
        while i < 256 {
            let mut value = i as u32;
            let mut bit = 0;
            while bit < 8 {
                value = (value >> 1) ^ (0xedb8_8320 & (value & 1).wrapping_neg());
                bit += 1;
            }
            table[i] = value;
            i += 1;
        }
        table
    };
    !bytes.iter().fold(!0, |crc, byte| {
        (crc >> 8) ^ TABLE[usize::from(crc as u8 ^ byte)]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksum() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
    }

    #[test]
    fn digits() {
        assert_eq!(hex(&[0, 0xab]), "00ab");
    }
}
