//! The address space as the kernel lists it in `/proc/self/maps`.

use crate::os;
use alloc::string::String;
use alloc::vec::Vec;

/// One line of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mapping {
    pub(super) start: u64,
    pub(super) end: u64,
    pub(super) executable: bool,
    /// Where in the file it begins.
    pub(super) offset: u64,
    /// File, or the kernel's name such as `[stack]`, or nothing.
    pub(super) name: String,
}

/// The mappings of this process; none if `/proc` is out of reach. The list of
/// a process whose main thread has ended is empty, that of its others is not.
pub(super) fn of_process() -> Vec<Mapping> {
    match os::File::open(b"/proc/thread-self/maps").and_then(|file| file.read_to_end()) {
        Ok(text) => parse(&text),
        Err(_) => Vec::new(),
    }
}

fn parse(text: &[u8]) -> Vec<Mapping> {
    text.split(|byte| *byte == b'\n')
        .filter_map(|line| parse_line(&String::from_utf8_lossy(line)))
        .collect()
}

/// `start-end rwxp offset major:minor inode   name`
fn parse_line(line: &str) -> Option<Mapping> {
    let mut rest = line;
    let mut word = || {
        let trimmed = rest.trim_start_matches(' ');
        let end = trimmed.find(' ').unwrap_or(trimmed.len());
        let word;
        (word, rest) = trimmed.split_at(end);
        word
    };
    let (range, rights, offset, _device, _inode) = (word(), word(), word(), word(), word());
    let (start, end) = range.split_once('-')?;
    Some(Mapping {
        start: u64::from_str_radix(start, 16).ok()?,
        end: u64::from_str_radix(end, 16).ok()?,
        executable: rights.contains('x'),
        offset: u64::from_str_radix(offset, 16).ok()?,
        name: rest.trim_start_matches(' ').into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines() {
        let text = b"\
00400000-00452000 r-xp 00001000 08:02 173521      /usr/bin/a b\n\
7fff1000-7fff2000 rw-p 00000000 00:00 0           [stack]\n\
7ffe0000-7ffe1000 ---p 00000000 00:00 0 \n\
garbage\n";
        let maps = parse(text);
        assert_eq!(maps.len(), 3);
        assert_eq!(
            maps[0],
            Mapping {
                start: 0x40_0000,
                end: 0x45_2000,
                executable: true,
                offset: 0x1000,
                name: "/usr/bin/a b".into()
            }
        );
        assert_eq!(maps[1].name, "[stack]");
        assert_eq!(maps[2].name, "");
    }

    #[test]
    fn this_process_has_this_function() {
        let here = this_process_has_this_function as fn() as usize as u64;
        let maps = of_process();
        let map = maps.iter().find(|m| (m.start..m.end).contains(&here));
        assert!(map.unwrap().executable);
    }
}
