//! Names and types of parts, as real compilers describe them.

use super::fixture::{Folder, compilers, has, open, start};
use crate::symbol::image::Image;
use crate::symbol::{Block, Bytes, Hint, Variable};

const C: &str = "\
struct node { int value; struct node *next; };
typedef struct { char tag; union { long whole; struct { short low, high; }; } data; } item;
struct node table[20];
int matrix[3][5];
item items[4];
unsigned flags;
struct bits { unsigned a : 3, b : 5; unsigned char c; unsigned d : 9; } packed;
union number { int i; float f; long l; } value;
struct { int kind; union { int i; float f; struct { short low, high; }; }; } tagged;
_Thread_local struct node mine;
extern int elsewhere[4];
struct node *reach(int i) { mine.value = i; elsewhere[i] = 1; return &table[i]; }
int main(void) {
  struct node *found = reach(2);
  static volatile struct node local;
  return found->value + matrix[1][2] + items[1].tag + (int)flags + packed.c + ++local.value;
}
";

const OTHER: &str = "int elsewhere[4]; int unused(void) { return 0; }\n";

const CXX: &str = "\
#include <atomic>
namespace app {
struct Base { long id; virtual ~Base() {} };
struct Session : Base { int state; std::atomic<int> users; };
Session session;
std::atomic<bool> done;
}
int main() { return app::session.state + app::session.users + app::done; }
";

struct Program<'a> {
    folder: &'a Folder,
    image: Image,
    main: u64,
}

impl Program<'_> {
    fn new<'a>(folder: &'a Folder) -> Program<'a> {
        let main = start(folder, "program", "main");
        let image = open(folder, "program");
        Program {
            folder,
            image,
            main,
        }
    }

    fn at(&self, name: &str, offset: u64, size: u64) -> Variable {
        let address = start(self.folder, "program", name) + offset;
        let bytes = Bytes { address, size };
        self.image.variable(bytes, &[self.main]).unwrap()
    }

    /// The name of `bytes` bytes at `offset` of a block that `main` allocated.
    fn block(&self, hint: &Hint, size: u64, offset: u64, bytes: u64) -> Option<String> {
        let block = Block {
            start: 0x1000,
            size,
        };
        let bytes = Bytes {
            address: 0x1000 + offset,
            size: bytes,
        };
        let part = self.image.allocated(self.main, hint, block, bytes)?;
        Some(part.path)
    }

    /// Name and type of `size` bytes at `offset` of the symbol `name`.
    fn named(&self, name: &str, offset: u64, size: u64) -> (String, String) {
        let variable = self.at(name, offset, size);
        let name = variable.full_name();
        (name, variable.part.unwrap().type_name)
    }
}

#[track_caller]
fn is(got: (String, String), name: &str, type_name: &str) {
    // What gcc calls `short int`, clang calls `short`.
    let got_type = got
        .1
        .replace("short int", "short")
        .replace("long int", "long");
    assert_eq!((got.0.as_str(), got_type.as_str()), (name, type_name));
}

#[test]
fn c() {
    for compiler in compilers() {
        for flags in ["-g", "-g -O2", "-gdwarf-4"] {
            let folder = Folder::new(&format!("parts-{compiler}{}", flags.replace(' ', "")));
            folder.write("a.c", C);
            folder.write("b.c", OTHER);
            folder.run(compiler, &format!("{flags} a.c b.c -o program"));
            check_c(&Program::new(&folder));
        }
    }
}

fn check_c(program: &Program<'_>) {
    is(
        program.named("table", 16 * 17 + 8, 8),
        "table[17].next",
        "struct node *",
    );
    is(program.named("table", 16 * 3, 4), "table[3].value", "int");
    is(
        program.named("table", 16 * 3, 16),
        "table[3]",
        "struct node",
    );
    is(
        program.named("table", 16 * 3 + 8, 16),
        "table",
        "struct node[20]",
    );
    is(program.named("table", 0, 320), "table", "struct node[20]");
    is(
        program.named("table", 16 * 3 + 10, 1),
        "table[3].next",
        "struct node *",
    );
    is(program.named("matrix", 4 * 7, 4), "matrix[1][2]", "int");
    is(
        program.named("items", 16 + 8, 8),
        "items[1].data.whole",
        "long",
    );
    is(
        program.named("value", 0, 4),
        "value",
        "union number: i or f",
    );
    is(program.named("value", 0, 8), "value.l", "long");
    is(
        program.named("tagged", 4, 4),
        "tagged",
        "unnamed union: i or f",
    );
    is(program.named("tagged", 6, 2), "tagged.high", "short");
    is(
        program.named("items", 16 + 10, 2),
        "items[1].data.high",
        "short",
    );
    is(program.named("flags", 0, 4), "flags", "unsigned int");
    is(program.named("packed", 1, 1), "packed.c", "unsigned char");
    is(
        program.named("packed", 0, 1),
        "packed",
        "struct bits: a or b",
    );
    is(program.named("packed", 2, 2), "packed.d", "unsigned int");
    is(program.named("packed", 0, 4), "packed", "struct bits");
    let node = program.at("table", 8, 8);
    assert_eq!(node.part.unwrap().member.as_deref(), Some("node.next"));
    let block = |hint: &Hint, size, offset, bytes| program.block(hint, size, offset, bytes);
    let nodes = Hint::Elements("node".into());
    assert_eq!(block(&nodes, 16, 8, 8).unwrap(), "struct node.next");
    assert_eq!(block(&nodes, 64, 40, 8).unwrap(), "struct node[2].next");
    assert_eq!(block(&nodes, 20, 8, 8), None, "not a multiple");
    assert_eq!(block(&Hint::One("node".into()), 64, 8, 8), None);
    let item = Hint::Elements("item".into());
    assert_eq!(block(&item, 16, 0, 1).unwrap(), "item.tag");
    let pointed = Hint::PointedTo("found".into());
    assert_eq!(block(&pointed, 32, 24, 8).unwrap(), "struct node[1].next");
    assert_eq!(block(&Hint::PointedTo("flags".into()), 32, 24, 8), None);
    assert_eq!(block(&Hint::One("nothing".into()), 16, 8, 8), None);
    // Defined in a unit that none of the code is in.
    is(program.named("elsewhere", 4, 4), "elsewhere[1]", "int");
    let (name, of) = program.named("local", 0, 4);
    assert!(name.ends_with("local.value") && of == "int", "{name}");
    // The block of a thread ends at its thread pointer.
    let pointer = 0x10_0000;
    let mine = Bytes {
        address: pointer - 16,
        size: 4,
    };
    let mine = program.image.thread_local(mine, pointer, &[program.main]);
    let mine = mine.unwrap();
    assert_eq!(mine.full_name(), "mine.value");
}

#[test]
fn cxx() {
    for compiler in ["g++", "clang++-22", "clang++-19"] {
        if !has(compiler) {
            continue;
        }
        let folder = Folder::new(&format!("parts-{compiler}"));
        folder.write("a.cc", CXX);
        folder.run(compiler, "-g -O1 -std=c++17 a.cc -o program");
        let program = Program::new(&folder);
        is(program.named("session", 16, 4), "app::session.state", "int");
        assert_eq!(program.named("session", 8, 8).0, "app::session.id");
        let (name, of) = program.named("session", 20, 4);
        assert_eq!(name, "app::session.users");
        assert!(of.contains("atomic<int>"), "{of}");
        let state = program.at("session", 16, 4).part.unwrap();
        assert_eq!(state.member.as_deref(), Some("Session::state"));
        let session = Hint::One("app::Session".into());
        let path = program.block(&session, 24, 16, 4).unwrap();
        assert_eq!(path, "Session.state");
        let (name, of) = program.named("done", 0, 1);
        assert_eq!(name, "app::done");
        assert!(of.contains("atomic<bool>"), "{of}");
    }
}

#[test]
fn rust() {
    if !has("rustc") {
        return;
    }
    let folder = Folder::new("parts-rust");
    folder.write(
        "a.rs",
        "use std::sync::atomic::{AtomicUsize, Ordering};
         struct Session { state: u32, counts: [u16; 4] }
         static mut SESSION: Session = Session { state: 1, counts: [0; 4] };
         static TOTAL: AtomicUsize = AtomicUsize::new(0);
         static mut PAIR: (u64, u8) = (1, 2);
         fn main() {
             TOTAL.fetch_add(1, Ordering::SeqCst);
             unsafe { SESSION.counts[2] += SESSION.state as u16; PAIR.1 += PAIR.0 as u8; }
         }",
    );
    folder.run("rustc", "-g a.rs -o program");
    let program = Program::new(&folder);
    let name = program.named("SESSION", 0, 0).0;
    assert!(name.starts_with("a::SESSION"), "{name}");
    let all = [0, 2, 4, 6, 8, 10].map(|offset| program.named("SESSION", offset, 2).0);
    assert!(all.contains(&"a::SESSION.counts[2]".to_string()), "{all:?}");
    assert!(all.contains(&"a::SESSION.state".to_string()), "{all:?}");
    is(program.named("TOTAL", 0, 8), "a::TOTAL", "AtomicUsize");
    let pair = [0, 8].map(|offset| program.named("PAIR", offset, 8).0);
    assert!(pair.contains(&"a::PAIR.0".to_string()), "{pair:?}");
}
