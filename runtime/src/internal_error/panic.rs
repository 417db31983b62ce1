//! Where broken invariants end up.
//!
//! One line that names the place, then the way back or SIGABRT: never an unwind
//! into the program's frames.

use super::{is_off, is_within, retreat, switch_off};
use crate::os;
use core::fmt::Write;
use core::panic::PanicInfo;

/// Formats into a fixed buffer; what does not fit is cut.
struct Line {
    bytes: [u8; 512],
    len: usize,
}

impl Write for Line {
    fn write_str(&mut self, s: &str) -> core::fmt::Result {
        let room = self.bytes.len() - self.len;
        let n = s.len().min(room);
        self.bytes[self.len..self.len + n].copy_from_slice(&s.as_bytes()[..n]);
        self.len += n;
        Ok(())
    }
}

#[panic_handler]
fn panic(info: &PanicInfo<'_>) -> ! {
    if is_within() {
        if switch_off() {
            say(info, " (checking ends here, the program goes on)");
        }
        if is_off() {
            retreat();
        }
    }
    say(info, "");
    os::abort()
}

fn say(info: &PanicInfo<'_>, consequence: &str) {
    let mut line = Line {
        bytes: [0; 512],
        len: 0,
    };
    let _ = write!(
        line,
        "racert: internal error, please report this{consequence}: {info}"
    );
    for b in &mut line.bytes[..line.len] {
        if *b == b'\n' {
            *b = b' ';
        }
    }
    let end = line.len.min(line.bytes.len() - 1);
    line.bytes[end] = b'\n';
    os::write_all(os::STDERR, &line.bytes[..=end]);
}

// The precompiled core library refers to the personality routine although
// nothing here unwinds. Weak: a Rust program's own definition wins.
core::arch::global_asm!(
    ".weak rust_eh_personality",
    ".type rust_eh_personality, @function",
    "rust_eh_personality:",
    "ud2",
    ".size rust_eh_personality, . - rust_eh_personality",
);
