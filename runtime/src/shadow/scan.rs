//! Walking over all shadow memory that exists.

use super::cell::CellRef;
use super::planes::Readers;
use super::word::Word;
use super::{OFFSET, is_application, word_of};
use crate::os::{self, File};
use core::ops::Range;
use core::sync::atomic::{AtomicU64, Ordering};
use smallvec::SmallVec;

/// Reservations beyond this that the program cannot access are passed over: to
/// ask which of their pages exist takes longer than they are worth.
const HUGE: usize = 1 << 30;

/// Calls `visit` for every shadow word in a page that was ever written; bytes
/// walked over, or `None` if the kernel does not say what is mapped.
pub fn words(mut visit: impl FnMut(&AtomicU64)) -> Option<usize> {
    pages(|page| {
        for addr in page.step_by(8) {
            visit(word_of(addr));
        }
    })
}

/// What is recorded in a range of application addresses, as far as the newest
/// records go, which are not older than the others.
pub fn records(range: Range<usize>) -> impl Iterator<Item = Word> {
    range.step_by(8).flat_map(|addr| {
        let place = word_of(addr);
        let word = Word(place.load(Ordering::Acquire));
        let mut records: SmallVec<[Word; 8]> = SmallVec::new();
        if let Some(readers) = Readers::from_word(word) {
            records.extend(readers.records(place));
        } else if let Some(cell) = CellRef::from_word(word) {
            records.extend(cell.records());
        } else if word != Word::BUSY {
            records.push(word);
        }
        records.retain(|record| *record != Word::EMPTY);
        records
    })
}

/// Calls `visit` for the application addresses of every page of shadow words
/// that was ever written, as far as the program has mapped them; otherwise as
/// [`words`].
pub fn pages(mut visit: impl FnMut(Range<usize>)) -> Option<usize> {
    let maps = File::open(b"/proc/thread-self/maps")
        .ok()?
        .read_to_end()
        .ok()?;
    let pagemap = File::open(b"/proc/thread-self/pagemap").ok();
    let mut walked = 0;
    for line in maps.split(|&b| b == b'\n') {
        let Some((start, end)) = range(line) else {
            continue;
        };
        if is_application(start, end - start) {
            walked += walk(start, end, pagemap.as_ref(), &mut visit);
        }
    }
    Some(walked)
}

/// The addresses of a line of the maps file, unless the program cannot access
/// them and they are many.
fn range(line: &[u8]) -> Option<(usize, usize)> {
    let mut fields = line.split(|&b| b == b' ');
    let (start, end) = core::str::from_utf8(fields.next()?).ok()?.split_once('-')?;
    let start = usize::from_str_radix(start, 16).ok()?;
    let end = usize::from_str_radix(end, 16).ok()?;
    let closed = fields.next()?.starts_with(b"---");
    (!closed || end - start <= HUGE).then_some((start, end))
}

fn walk(
    start: usize,
    end: usize,
    pagemap: Option<&File>,
    visit: &mut impl FnMut(Range<usize>),
) -> usize {
    const BATCH: usize = 512;
    let mut walked = 0;
    // Where the shadow page that holds the first word begins.
    let mut at = ((start + OFFSET) & !(os::PAGE - 1)).saturating_sub(OFFSET);
    while at < end {
        let pages = (end - at).div_ceil(os::PAGE).min(BATCH);
        let shadow = core::ptr::from_ref(word_of(at)) as usize;
        let mut present = [true; BATCH];
        os::present_pages(pagemap, shadow, &mut present[..pages]);
        for (i, _) in present[..pages].iter().enumerate().filter(|(_, p)| **p) {
            let page = at + i * os::PAGE;
            visit(page.max(start)..end.min(page + os::PAGE));
            walked += os::PAGE;
        }
        at += pages * os::PAGE;
    }
    walked
}

#[cfg(test)]
mod tests {
    use super::range;

    #[test]
    fn map_lines_parse() {
        let line = b"7f0000001000-7f0000003000 rw-p 00000000 00:00 0";
        assert_eq!(range(line), Some((0x7f00_0000_1000, 0x7f00_0000_3000)));
        assert!(range(b"7f0000001000-7f0000003000 ---p 00000000 00:00 0").is_some());
        assert_eq!(
            range(b"7e0000001000-7f0000003000 ---p 00000000 00:00 0"),
            None
        );
        assert_eq!(range(b""), None);
        assert_eq!(range(b"zz-10 rw"), None);
    }
}
