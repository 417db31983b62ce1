//! The forms in which debug information comes.

use super::bytes;
use super::fixture::{Folder, SOURCE, addresses, compilers, has, knows_all, open};
use crate::symbol::image::Image;

#[test]
fn versions_and_layouts() {
    let folder = Folder::new("layouts");
    folder.write("a.c", SOURCE);
    for compiler in compilers() {
        for version in ["-gdwarf-4", "-gdwarf-5"] {
            for layout in ["-O1", "-O2 -no-pie", "-O1 -fPIC -shared"] {
                let what = format!("{compiler} {version} {layout}");
                folder.run(compiler, &format!("{version} {layout} a.c -o a"));
                let at = addresses(&folder, "a");
                knows_all(&open(&folder, "a"), &at, &folder, &what);
            }
        }
    }
}

#[test]
fn compressed() {
    let folder = Folder::new("compressed");
    folder.write("a.c", SOURCE);
    folder.run("gcc", "-g -O1 a.c -o a");
    let at = addresses(&folder, "a");
    for kind in ["zlib", "zlib-gnu", "zstd"] {
        folder.run("objcopy", &format!("--compress-debug-sections={kind} a z"));
        assert!(folder.run("readelf", "-WS z").contains("debug_info"));
        knows_all(&open(&folder, "z"), &at, &folder, kind);
    }
}

#[test]
fn split() {
    let folder = Folder::new("split");
    folder.write("a.c", SOURCE);
    for compiler in compilers() {
        for version in ["-gdwarf-4", "-gdwarf-5"] {
            let what = format!("{compiler} {version}");
            folder.run(
                compiler,
                &format!("{version} -gsplit-dwarf -O1 a.c -c -o a.o"),
            );
            folder.run(compiler, "a.o -o a");
            let at = addresses(&folder, "a");
            knows_all(&open(&folder, "a"), &at, &folder, &what);

            // binutils' packager knows version 4 only.
            let packager = match version {
                "-gdwarf-4" => "dwp",
                _ => "llvm-dwp-22",
            };
            if !has(packager) {
                continue;
            }
            folder.run(packager, "-e a -o a.dwp");
            std::fs::remove_file(folder.path("a.dwo")).unwrap();
            knows_all(&open(&folder, "a"), &at, &folder, &format!("{what} dwp"));
            std::fs::remove_file(folder.path("a.dwp")).unwrap();

            // Without either, the skeleton still has lines and the symbol
            // table has names.
            let frames = open(&folder, "a").frames(at.outer.start);
            assert_eq!(frames[0].function.as_deref(), Some("outer"), "{what}");
        }
    }
}

#[test]
fn separate_file() {
    let folder = Folder::new("separate");
    folder.write("a.c", SOURCE);
    for id in ["sha1", "none"] {
        folder.run("gcc", &format!("-g -O1 -Wl,--build-id={id} a.c -o full"));
        let at = addresses(&folder, "full");
        folder.run("objcopy", "--only-keep-debug full a.debug");
        folder.run("objcopy", "--strip-all --add-gnu-debuglink=a.debug full a");
        knows_all(&open(&folder, "a"), &at, &folder, id);

        std::fs::create_dir_all(folder.path(".debug")).unwrap();
        std::fs::rename(folder.path("a.debug"), folder.path(".debug/a.debug")).unwrap();
        knows_all(&open(&folder, "a"), &at, &folder, id);

        // A debug file of another build must not be used.
        folder.run("gcc", &format!("-g -O2 -Wl,--build-id={id} a.c -o other"));
        folder.run("objcopy", "--only-keep-debug other .debug/a.debug");
        assert_eq!(open(&folder, "a").frames(at.outer.start), []);
    }
}

#[test]
fn symbols_only() {
    let folder = Folder::new("symbols");
    folder.write("a.c", SOURCE);
    folder.run("gcc", "-O1 -fPIC -shared a.c -o a");
    let at = addresses(&folder, "a");
    let check = |file: &str, calls: Option<&str>| {
        let image = open(&folder, file);
        let frames = image.frames(at.outer.start + 1);
        assert_eq!(frames.len(), 1);
        assert_eq!(frames[0].function.as_deref(), Some("outer"));
        assert_eq!(frames[0].source, None);
        let table = image.variable(bytes(at.table + 39), &[]).unwrap();
        assert_eq!((table.name.as_str(), table.start), ("table", at.table));
        let name = image
            .variable(bytes(at.calls), &[])
            .map(|variable| variable.name);
        assert_eq!(name.as_deref(), calls);
    };
    check("a", Some("calls.0"));
    // Only what the dynamic table exports remains.
    folder.run("strip", "a -o b");
    check("b", None);
}

#[test]
fn another_file_of_the_same_name() {
    let folder = Folder::new("replaced");
    folder.write("a.c", SOURCE);
    folder.run("gcc", "-g -Wl,--build-id=0x1234 a.c -o a");
    let path = folder.path("a");
    assert!(Image::open(&path, Some(&[0x12, 0x34])).is_some());
    assert!(Image::open(&path, Some(&[0x12, 0x35])).is_none());
    assert!(Image::open(&folder.path("a.c"), None).is_none());
    assert!(Image::open(&folder.path("gone"), None).is_none());
}

#[test]
fn cpp_names() {
    let source = "\
namespace n {
template <class T> struct Box { T value; static int made; T get(int) const; };
template <class T> int Box<T>::made = 3;
template <class T> T Box<T>::get(int x) const { return value + x + made++; }
}
int main(int c, char **) { static int calls; calls += c; n::Box<long> b{c}; return b.get(calls); }
";
    let folder = Folder::new("cpp");
    folder.write("a.cpp", source);
    let name = "n::Box<long>::get(int) const";
    for flags in ["-g", "-g1", "-gdwarf-4 -gsplit-dwarf"] {
        folder.run("g++", &format!("{flags} -O0 a.cpp -o a"));
        let listing = folder.run("nm", "a");
        let address = |part: &str| {
            let line = listing.lines().find(|line| line.contains(part)).unwrap();
            u64::from_str_radix(line.split(' ').next().unwrap(), 16).unwrap()
        };
        let image = open(&folder, "a");
        let code = address("3get");
        let frame = image.frames(code + 1).pop().unwrap();
        assert_eq!(frame.function.as_deref(), Some(name), "{flags}");
        assert_eq!(frame.source.unwrap().line, 4, "{flags}");
        let made = image.variable(bytes(address("4made")), &[code]).unwrap();
        assert_eq!(made.name, "n::Box<long>::made", "{flags}");
        let calls = image.variable(bytes(address("5calls")), &[code]).unwrap();
        assert_eq!(calls.name, "main::calls", "{flags}");
        if flags != "-g1" {
            assert_eq!(made.declared.unwrap().line, 3, "{flags}");
            assert_eq!(calls.declared.unwrap().line, 6, "{flags}");
        }
    }
}

/// Link-time optimisation inlines across units, whose debug information then
/// refers to each other.
#[test]
fn units_that_refer_to_each_other() {
    let folder = Folder::new("lto");
    folder.write(
        "a.c",
        "int inner(volatile int *);\nvolatile int t;\nint main(void) {\n  return inner(&t);\n}\n",
    );
    folder.write(
        "b.c",
        "int inner(volatile int *p) {\n  return p[0] + 3;\n}\n",
    );
    let clang = has("clang-22") && has("ld.lld-22");
    let builds = [
        ("gcc", "-g -O2 -flto a.c b.c -o a"),
        ("clang-22", "-g -O2 -flto -fuse-ld=lld-22 a.c b.c -o a"),
    ];
    for (compiler, arguments) in builds {
        if compiler == "clang-22" && !clang {
            continue;
        }
        folder.run(compiler, arguments);
        let listing = folder.run("nm", "-S a");
        let line = listing.lines().find(|line| line.ends_with(" main"));
        let start = u64::from_str_radix(&line.unwrap()[..16], 16).unwrap();
        let image = open(&folder, "a");
        let places = |address| -> Vec<(String, u32)> {
            let frames = image.frames(address).into_iter();
            frames
                .map(|frame| (frame.function.unwrap(), frame.source.unwrap().line))
                .collect()
        };
        let expected = [("inner".to_string(), 2), ("main".to_string(), 4)];
        let found = (start..start + 12).any(|address| places(address) == expected);
        assert!(found, "{compiler}: {:?}", places(start));
    }
}
