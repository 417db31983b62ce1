//! libc++'s standard streams.
//!
//! Several threads may write to `std::cout` at once. libc++ does that in its
//! headers, where each output stores the width and the character to fill with
//! that the next one is to have, without a lock: nothing comes of it, and no
//! program can do anything about it. What else a stream has, such as its flags,
//! a program changes by itself.

use core::ops::Range;

/// From the start of `std::basic_ios` to its width, and to its character.
const PARTS: [Range<usize>; 2] = [24..32, 144..148];
/// Before `std::basic_ios` in an output stream and in an input stream.
const OUTPUT: usize = 8;
const INPUT: usize = 16;

/// The address of a variable; zero if it is not there.
macro_rules! variable {
    ($name:literal) => {{
        let address: usize;
        // SAFETY: reads a link-time or load-time constant.
        unsafe {
            core::arch::asm!(
                concat!(".weak ", $name),
                concat!("mov {address}, qword ptr [rip + ", $name, "@GOTPCREL]"),
                address = out(reg) address,
                options(pure, readonly, nostack),
            );
        }
        address
    }};
}

/// Does a race on `race` lie in what the library stores there by itself?
pub(super) fn has(race: &Range<usize>) -> bool {
    let streams = [
        (variable!("_ZNSt3__14coutE"), OUTPUT),
        (variable!("_ZNSt3__14cerrE"), OUTPUT),
        (variable!("_ZNSt3__14clogE"), OUTPUT),
        (variable!("_ZNSt3__15wcoutE"), OUTPUT),
        (variable!("_ZNSt3__15wcerrE"), OUTPUT),
        (variable!("_ZNSt3__15wclogE"), OUTPUT),
        (variable!("_ZNSt3__13cinE"), INPUT),
        (variable!("_ZNSt3__14wcinE"), INPUT),
    ];
    streams
        .into_iter()
        .filter(|(stream, _)| *stream != 0)
        .any(|(stream, before)| is_own(race, stream + before))
}

/// Is `race` in a part of the `std::basic_ios` at `start` that the library
/// writes?
fn is_own(race: &Range<usize>, start: usize) -> bool {
    PARTS
        .iter()
        .any(|part| start + part.start <= race.start && race.end <= start + part.end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_width_and_the_character_to_fill_with() {
        assert!(is_own(&(0x1018..0x1020), 0x1000));
        assert!(is_own(&(0x1090..0x1094), 0x1000));
        assert!(!is_own(&(0x1008..0x100c), 0x1000));
        assert!(!is_own(&(0x1018..0x1028), 0x1000));
        assert!(!has(&(0..0)));
    }
}
