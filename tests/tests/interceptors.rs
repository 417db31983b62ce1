//! The programs in `programs/` check themselves. They run uninstrumented, with
//! the runtime linked into them and with the runtime preloaded, built by every
//! compiler at hand, and must not notice the difference.

use std::path::{Path, PathBuf};
use std::process::Command;

/// How a program gets the runtime.
#[derive(Clone, Copy, Debug)]
enum Link {
    Pie,
    NoPie,
    StaticCxxLibrary,
    Preload,
}

fn library(name: &str) -> PathBuf {
    let path = racert_tests::target_dir().join("racert/lib").join(name);
    assert!(
        path.exists(),
        "{} is not there: run `cargo xtask build` first",
        path.display()
    );
    path
}

/// The system's compiler and the newest clang.
fn compilers(cxx: bool) -> Vec<&'static str> {
    let (system, clangs) = if cxx {
        ("c++", ["clang++-22", "clang++-19", "clang++-18"])
    } else {
        ("cc", ["clang-22", "clang-19", "clang-18"])
    };
    let works = |c: &&str| Command::new(c).arg("--version").output().is_ok();
    std::iter::once(system)
        .chain(clangs.into_iter().find(works))
        .collect()
}

fn build(compiler: &str, source: &Path, link: Link, program: &Path) {
    let mut command = Command::new(compiler);
    command
        .args(["-O1", "-g", "-fno-builtin", "-pthread"])
        .arg(format!("-DRACERT_ABI_VERSION={}", racert_abi::ABI_VERSION))
        .arg(source)
        .arg("-o")
        .arg(program);
    match link {
        Link::Pie => command.args(["-fPIE", "-pie"]),
        Link::NoPie => command.args(["-fno-pie", "-no-pie"]),
        Link::StaticCxxLibrary => command.arg("-static-libstdc++"),
        Link::Preload => command.args(["-fPIE", "-pie"]),
    };
    if !matches!(link, Link::Preload) {
        command
            .arg(format!("-Wl,-u,{}", racert_abi::entry::INIT))
            .arg(library("libracert.a"))
            .arg("-ldl");
    }
    let output = command.output().expect("the compiler was there before");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "{compiler} {source:?} {link:?}:\n{errors}"
    );
}

fn check(name: &str, links: &[Link]) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("programs")
        .join(name);
    let folder = tempfile::tempdir().expect("a folder for the programs");
    for compiler in compilers(name.ends_with(".cpp")) {
        for &link in links {
            let program = folder.path().join("program");
            build(compiler, &source, link, &program);
            let mut command = Command::new(&program);
            command.env_remove("RACERT_OPTIONS");
            if matches!(link, Link::Preload) {
                command.env("LD_PRELOAD", library("libracert.so"));
            }
            let output = command.output().expect("just built");
            let case = format!("{name} built by {compiler}, {link:?}");
            let errors = String::from_utf8_lossy(&output.stderr);
            assert_eq!(errors, "", "{case}");
            assert_eq!(output.status.code(), Some(0), "{case}");
            assert_eq!(output.stdout, b"ok\n", "{case}");
        }
    }
}

const ALL: &[Link] = &[Link::Pie, Link::NoPie, Link::Preload];
const ALL_CXX: &[Link] = &[
    Link::Pie,
    Link::NoPie,
    Link::StaticCxxLibrary,
    Link::Preload,
];

macro_rules! programs {
    ($($test:ident: $file:literal, $links:expr;)+) => {
        $(#[test] fn $test() { check($file, $links); })+
    };
}

programs! {
    heap: "heap.c", ALL;
    threads: "threads.c", ALL;
    locks: "locks.c", ALL;
    waiting: "waiting.c", ALL;
    c11: "c11.c", ALL;
    process: "process.c", ALL;
    signals: "signals.c", ALL;
    mappings: "mappings.c", ALL;
    crowd: "crowd.c", ALL;
    forking: "forking.c", ALL;
    large: "large.c", ALL;
    own_malloc: "own_malloc.c", ALL;
    operators: "operators.cpp", ALL_CXX;
    own_operators: "own_operators.cpp", ALL_CXX;
}
