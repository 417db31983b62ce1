//! Debug information that lies: no answer is right, but every answer must
//! come, and without a panic.

use super::bytes;
use super::fixture::{Addresses, Folder, SOURCE, addresses};
use crate::symbol::image::Image;
use crate::symbol::{Block, Bytes, Hint};

/// A small generator (xorshift64) with a fixed seed: failures repeat.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }
}

fn ask_everything(path: &str, at: &Addresses) -> usize {
    let Some(image) = Image::open(path, None) else {
        return 0;
    };
    let code = at.outer.start + 4;
    let mut answers = 0;
    for address in at.outer.clone().step_by(3) {
        answers += image.frames(address).len();
    }
    answers += usize::from(image.variable(bytes(at.calls), &[code]).is_some());
    let one = Bytes {
        address: at.table + 8,
        size: 4,
    };
    let element = image.variable(one, &[code]);
    answers += element.map_or(0, |element| element.full_name().len());
    for offset in (-64..0).step_by(4) {
        let frame = 0x7fff_0000_u64;
        let local = Bytes {
            address: frame.wrapping_add_signed(offset),
            size: 4,
        };
        answers += usize::from(image.local(local, frame, code, None).is_some());
    }
    let block = Block {
        start: 0x1000,
        size: 40,
    };
    let inside = bytes(0x1008);
    for hint in [Hint::Elements("int".into()), Hint::PointedTo("p".into())] {
        answers += usize::from(image.allocated(code, &hint, block, inside).is_some());
    }
    answers += usize::from(image.thread_local(bytes(0x1000), 0x1008, &[]).is_some());
    answers
}

fn damage(name: &str, flags: &str, rounds: usize) {
    let folder = Folder::new(&format!("damage-{name}"));
    folder.write("a.c", SOURCE);
    folder.run(
        "gcc",
        &format!("-O1 -fPIC -shared -nostdlib -Wl,-z,noseparate-code {flags} a.c -o a"),
    );
    let at = addresses(&folder, "a");
    let path = folder.path("a");
    let good = std::fs::read(&path).unwrap();
    let answers = ask_everything(&path, &at);
    assert!(answers > 5);
    let mut random = Random(0x5eed);
    let mut different = 0;
    for _ in 0..rounds {
        let mut bad = good.clone();
        match random.below(8) {
            0 => bad.truncate(random.below(good.len())),
            _ => {
                for _ in 0..=random.below(6) {
                    // Debug information, symbols and headers are behind the
                    // code and data.
                    let low = good.len() / 4 * usize::from(random.below(8) != 0);
                    let index = low + random.below(good.len() - low);
                    bad[index] = match random.below(4) {
                        0 => 0xff,
                        1 => 0,
                        2 => bad[index] ^ (1 << random.below(8)),
                        _ => random.below(256) as u8,
                    };
                }
            }
        }
        std::fs::write(folder.path("b"), &bad).unwrap();
        different += usize::from(ask_everything(&folder.path("b"), &at) != answers);
    }
    assert!(different > rounds / 20, "{different} of {rounds}");
}

#[test]
fn plain() {
    damage("plain", "-gdwarf-5", 700);
}

#[test]
fn older_version() {
    damage("older", "-gdwarf-4", 400);
}

#[test]
fn compressed() {
    damage("compressed", "-gdwarf-5 -gz=zlib", 300);
}

#[test]
fn a_tool_may_leave_anything_behind() {
    let folder = Folder::new("junk");
    for junk in ["", "\x7fELF", "\x7fELF\x02\x01\x01", "not an ELF file"] {
        folder.write("a", junk);
        assert!(Image::open(&folder.path("a"), None).is_none());
    }
}
