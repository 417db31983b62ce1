//! Headers of other libraries that would declare other types than the library was
//! built with.

use std::fs;
use std::process::Command;

use racert_tests::detector::Detector;
use racert_tests::matrix::Language;
use racert_tests::program::run;

/// A library's header that looks at what sanitizers define, as protobuf's does.
const HEADER: &str = "
#ifdef __SANITIZE_THREAD__
#error the library is not built so
#endif
struct Field { int value; };
";

const PROGRAM: &str = "
#include <google/protobuf/map_field.h>
#ifndef __SANITIZE_THREAD__
#error seen by all others
#endif
Field field;
";

#[test]
fn protobuf_declares_its_maps_as_the_library_has_them() {
    let folder = tempfile::tempdir().unwrap();
    let library = folder.path().join("google/protobuf");
    fs::create_dir_all(&library).unwrap();
    fs::write(library.join("map_field.h"), HEADER).unwrap();
    let source = folder.path().join("program.cc");
    fs::write(&source, PROGRAM).unwrap();
    let compiler = Detector::from_env().unwrap().compiler(Language::Cxx);
    for option in ["-I", "-isystem"] {
        let outcome = run(Command::new(&compiler)
            .args(["-fsyntax-only", "-Wall", "-Werror", "-pedantic", option])
            .arg(folder.path())
            .arg(&source));
        assert_eq!(outcome.code, 0, "{option}\n{}", outcome.describe());
        assert_eq!(outcome.stderr, "", "{option}");
    }
}
