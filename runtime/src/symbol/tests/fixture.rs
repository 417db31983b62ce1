//! Small programs compiled on the spot.

use super::bytes;
use crate::symbol::Variable;
use crate::symbol::image::Image;
use std::path::PathBuf;
use std::process::Command;

/// A folder that goes away.
pub(super) struct Folder(PathBuf);

impl Folder {
    /// A fresh folder.
    pub(super) fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("racert-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    /// The path of a file in it.
    pub(super) fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().into()
    }

    /// Writes a file.
    pub(super) fn write(&self, name: &str, text: &str) {
        std::fs::write(self.0.join(name), text).unwrap();
    }

    /// Runs a tool in it, which must succeed, and gives its output.
    pub(super) fn run(&self, command: &str, arguments: &str) -> String {
        let output = Command::new(command)
            .args(arguments.split_whitespace())
            .current_dir(&self.0)
            .output()
            .unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{command} {arguments}: {errors}");
        String::from_utf8(output.stdout).unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Is the tool installed?
pub(super) fn has(command: &str) -> bool {
    let found = Command::new(command).arg("--version").output();
    found.is_ok_and(|output| output.status.success())
}

/// The compilers on this machine.
pub(super) fn compilers() -> Vec<&'static str> {
    let all = ["gcc", "clang-22", "clang-19"];
    all.into_iter().filter(|compiler| has(compiler)).collect()
}

/// A program with an inlined call, a global and a static local.
pub(super) const SOURCE: &str = "\
#define INLINE static inline __attribute__((always_inline))
INLINE int inner(volatile int *p) {
  return p[1] + 3;
}
int table[10] = {1};
int outer(void) {
  static int calls;
  calls += 2;
  return calls + inner(table);
}
int main(void) { return outer(); }
";

/// What the symbol table says, for looking things up in a stripped file.
pub(super) struct Addresses {
    pub(super) outer: std::ops::Range<u64>,
    pub(super) table: u64,
    pub(super) calls: u64,
}

/// Reads the symbol table of `file`.
pub(super) fn addresses(folder: &Folder, file: &str) -> Addresses {
    let listing = folder.run("nm", &format!("-S {file}"));
    let find = |wanted: &dyn Fn(&str) -> bool| {
        let line = listing
            .lines()
            .find(|line| line.split(' ').nth(3).is_some_and(wanted))
            .unwrap_or_else(|| panic!("{listing}"));
        let mut words = line.split(' ');
        let mut number = || u64::from_str_radix(words.next().unwrap(), 16).unwrap();
        (number(), number())
    };
    let (start, size) = find(&|name| name == "outer");
    Addresses {
        outer: start..start + size,
        table: find(&|name| name == "table").0,
        calls: find(&|name| name.contains("calls")).0,
    }
}

/// Opens `file` as the symboliser does.
pub(super) fn open(folder: &Folder, file: &str) -> Image {
    Image::open(&folder.path(file), None).unwrap()
}

/// Asserts that `image` knows everything about the program in [`SOURCE`].
pub(super) fn knows_all(image: &Image, at: &Addresses, folder: &Folder, what: &str) {
    let file = folder.path("a.c");
    let lines = |address| -> Vec<(String, String, u32)> {
        let frames = image.frames(address).into_iter();
        frames
            .map(|frame| {
                let source = frame.source.unwrap_or_default();
                (frame.function.unwrap(), source.file, source.line)
            })
            .collect()
    };
    let inlined = [
        ("inner".to_string(), file.clone(), 3),
        ("outer".to_string(), file.clone(), 9),
    ];
    let found = at.outer.clone().any(|address| lines(address) == inlined);
    assert!(found, "{what}: no inlined frame");
    let plain = [("outer".to_string(), file.clone(), 8)];
    let code = at.outer.clone().find(|address| lines(*address) == plain);
    let code = code.unwrap_or_else(|| panic!("{what}: no plain frame"));

    let table = image.variable(bytes(at.table + 4), &[code]).unwrap();
    let declared = |variable: &Variable| {
        let source = variable.declared.clone().unwrap_or_default();
        (source.file, source.line)
    };
    assert_eq!((table.name.as_str(), table.size), ("table", 40), "{what}");
    assert_eq!(declared(&table), (file.clone(), 5), "{what}");
    let calls = image.variable(bytes(at.calls), &[code]).unwrap();
    assert_eq!(calls.name, "outer::calls", "{what}");
    assert_eq!(declared(&calls), (file, 7), "{what}");
    assert_eq!(
        image.variable(bytes(at.table + 4000), &[code]),
        None,
        "{what}"
    );
}

/// The symbol whose name ends in `name`: where it begins.
pub(super) fn start(folder: &Folder, file: &str, name: &str) -> u64 {
    let listing = folder.run("nm", &format!("-C {file}"));
    let line = listing
        .lines()
        .find(|line| {
            line.split(' ')
                .nth(2)
                .is_some_and(|word| word.ends_with(name) || word.starts_with(&format!("{name}.")))
        })
        .unwrap_or_else(|| panic!("{name}: {listing}"));
    u64::from_str_radix(line.split(' ').next().unwrap(), 16).unwrap()
}
