//! Rewritten libraries do what the originals do, and `racert rewrite` does what
//! it is told.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use racert_tests::rewriting::{
    RACE, REFUSED, build, checked, library, library_of, racert, rewrite, run, source,
};

/// Runs a program with its own and with rewritten libraries whose dead code
/// traps.
fn same_with(name: &str, libraries: &[&str], link: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let Some(program) = build(folder.path(), name, link) else {
        return;
    };
    let native = run(&mut Command::new(&program));
    assert_eq!(native.0, 0, "{native:?}");
    for library in libraries {
        let original = library_of(&program, library);
        let name = original.file_name().unwrap();
        let done = rewrite(&original, &folder.path().join(name), &["--poison"]);
        assert!(done.status.success(), "{done:?}");
    }
    let rewritten = run(Command::new(&program).env("LD_LIBRARY_PATH", folder.path()));
    assert_eq!(rewritten, native);
}

#[test]
fn compression_works_as_before() {
    same_with("zlib_work.c", &["libz.so.1"], &["-lz"]);
}

#[test]
fn exceptions_pass_through_rewritten_code() {
    same_with("exceptions.cpp", &["libstdc++.so.6"], &[]);
}

#[test]
fn sql_works_as_before() {
    same_with("sql_work.c", &["libsqlite3.so.0"], &["-lsqlite3"]);
}

#[test]
fn connections_are_encrypted_as_before() {
    same_with(
        "tls_work.c",
        &["libcrypto.so.3", "libssl.so.3"],
        &["-lssl", "-lcrypto"],
    );
}

#[test]
fn containers_and_text_work_as_before() {
    let link = [
        "-I/usr/include/glib-2.0",
        "-I/usr/lib/x86_64-linux-gnu/glib-2.0/include",
        "-lglib-2.0",
    ];
    same_with("glib_work.c", &["libglib-2.0.so.0"], &link);
}

#[test]
fn documents_are_parsed_as_before() {
    same_with("xml_work.c", &["libxml2.so.2"], &["-l:libxml2.so.2"]);
}

#[test]
fn files_are_fetched_as_before() {
    same_with("curl_work.c", &["libcurl.so.4"], &["-l:libcurl.so.4"]);
}

#[test]
fn pictures_are_compressed_as_before() {
    same_with("jpeg_work.c", &["libjpeg.so"], &["-ljpeg"]);
}

/// Constructors and destructors, thread-local storage, functions chosen when
/// the library is loaded, versions of symbols, switches.
#[test]
fn what_loader_and_linker_need_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let versions = format!("-Wl,--version-script={}", source("kept.map").display());
    let flags = ["-Wl,--build-id", versions.as_str()];
    let original = library(folder.path(), "libkept.so", "kept.c", &flags);
    let program = build(folder.path(), "kept_main.c", &[original.to_str().unwrap()]);
    let program = program.expect("it needs nothing else");
    let native = run(Command::new(&program).env("LD_LIBRARY_PATH", folder.path()));
    assert!(native.0 == 0 && native.1.contains("value 43 before 42"));
    let poisoned = folder.path().join("poisoned");
    fs::create_dir(&poisoned).unwrap();
    let rewritten = poisoned.join("libkept.so");
    let done = rewrite(&original, &rewritten, &["--poison"]);
    assert!(done.status.success(), "{done:?}");
    let same = run(Command::new(&program).env("LD_LIBRARY_PATH", &poisoned));
    assert_eq!(same, native);
    for part in ["--notes", "--version-info", "--dyn-syms", "--relocs"] {
        let shown = |file| {
            Command::new("readelf")
                .args(["-W", part])
                .arg(file)
                .output()
        };
        let [before, after] = [&original, &rewritten].map(|file| shown(file).unwrap().stdout);
        assert!(before == after && !before.is_empty(), "{part}");
    }
}

/// The libraries that the programs of these tests work in, as far as they are
/// there, with what links them.
const LIBRARIES: [(&str, &str); 8] = [
    ("libz.so.1", "-l:libz.so.1"),
    ("libsqlite3.so.0", "-l:libsqlite3.so.0"),
    ("libstdc++.so.6", "-l:libstdc++.so.6"),
    ("libcrypto.so.3", "-l:libcrypto.so.3"),
    ("libglib-2.0.so.0", "-l:libglib-2.0.so.0"),
    ("libxml2.so.2", "-l:libxml2.so.2"),
    ("libcurl.so.4", "-l:libcurl.so.4"),
    ("libjpeg.so.62", "-l:libjpeg.so.62"),
];

/// Nearly all accesses are covered, in memory that grows with the file only.
#[test]
fn distribution_libraries_are_covered() {
    let folder = tempfile::tempdir().unwrap();
    for (name, link) in LIBRARIES {
        let Some(program) = build(folder.path(), "plain_main.c", &["-Wl,--no-as-needed", link])
        else {
            continue;
        };
        let original = library_of(&program, name);
        let (output, report) = (folder.path().join(name), folder.path().join("report"));
        let mut command = Command::new("bash");
        // The limit is on addresses, of which memory is a part; of those, every
        // process has some.
        let size = fs::metadata(&original).unwrap().len();
        let limit = (size * 50 / 1024).max(64 << 10);
        command
            .args(["-c", &format!("ulimit -v {limit}; exec \"$@\""), "bash"])
            .arg(racert())
            .args(["rewrite", "--quiet", "--report"])
            .arg(&report)
            .arg(&original)
            .arg("-o")
            .arg(&output);
        let done = run(&mut command);
        assert_eq!(done.0, 0, "{name}: {done:?}");
        let covered = percent(&fs::read_to_string(&report).unwrap());
        assert!(covered >= 99.5, "{name}: {covered}");
    }
}

fn percent(report: &str) -> f64 {
    let covered = report.split("\"covered_percent\": ").nth(1).unwrap();
    let covered = covered.split([',', '\n']).next().unwrap();
    covered.trim().parse().unwrap()
}

#[test]
fn the_same_input_gives_the_same_output_once() {
    let folder = tempfile::tempdir().unwrap();
    let Some(program) = build(folder.path(), "exceptions.cpp", &[]) else {
        return;
    };
    let original = library_of(&program, "libstdc++.so.6");
    let (first, second) = (folder.path().join("first"), folder.path().join("second"));
    let report = folder.path().join("coverage.json");
    let arguments = ["--report", report.to_str().unwrap()];
    assert!(rewrite(&original, &first, &arguments).status.success());
    assert!(rewrite(&original, &second, &[]).status.success());
    assert!(fs::read(&first).unwrap() == fs::read(&second).unwrap());
    let covered = percent(&fs::read_to_string(report).unwrap());
    assert!(covered > 99.5, "{covered}");
    let again = rewrite(&first, &second, &[]);
    assert_eq!(again.status.code(), Some(REFUSED));
    let message = String::from_utf8_lossy(&again.stderr).into_owned();
    assert!(message.contains("rewritten by racert already"), "{message}");
}

#[test]
fn functions_are_chosen_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let input = library(folder.path(), "libplanted.so", "planted.c", &[]);
    let (output, report) = (folder.path().join("out"), folder.path().join("report"));
    let report_path = report.to_str().unwrap();
    let checked = |arguments: &[&str]| -> f64 {
        let all = [&["--report", report_path], arguments].concat();
        let done = rewrite(&input, &output, &all);
        assert!(done.status.success(), "{done:?}");
        let text = fs::read_to_string(&report).unwrap();
        let covered = text.split("\"checked\": ").nth(1).unwrap();
        covered.split(',').next().unwrap().parse().unwrap()
    };
    let all = checked(&[]);
    let some = checked(&["--exclude", "bump_s*", "--exclude", "bump_mute?"]);
    let one = checked(&["--only", "bump_spin"]);
    assert!(all > some && some > one && one > 0.0, "{all} {some} {one}");
}

#[test]
fn a_summary_and_no_bar_without_a_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let input = library(folder.path(), "libplanted.so", "planted.c", &[]);
    let output = folder.path().join("out");
    let done = rewrite(&input, &output, &[]);
    let text = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(
        text.contains("functions moved") && text.contains("% of"),
        "{text}"
    );
    assert!(!text.contains('\x1b') && !text.contains('\r'), "{text:?}");
    let quiet = rewrite(&input, &output, &["--quiet"]);
    assert!(quiet.status.success() && quiet.stderr.is_empty());
}

#[test]
fn what_was_rewritten_is_kept_by_build_id() {
    let folder = tempfile::tempdir().unwrap();
    let with_id = ["-Wl,--build-id"];
    let path = library(folder.path(), "libplanted.so", "planted.c", &with_id);
    let Some(program) = build(folder.path(), "planted_main.c", &[path.to_str().unwrap()]) else {
        return;
    };
    let kept = || -> Vec<(PathBuf, std::time::SystemTime)> {
        let cache = folder.path().join("cache/racert/rewritten");
        let folders = fs::read_dir(cache)
            .unwrap()
            .map(|entry| entry.unwrap().path());
        let mut files: Vec<_> = folders
            .map(|folder| folder.join("libplanted.so"))
            .filter_map(|file| Some((file.clone(), fs::metadata(&file).ok()?.modified().ok()?)))
            .collect();
        files.sort();
        files
    };
    assert_eq!(checked(folder.path(), &program, "planted", &["mutex"]).0, 0);
    let first = kept();
    assert_eq!(first.len(), 1);
    assert_eq!(checked(folder.path(), &program, "planted", &["mutex"]).0, 0);
    assert_eq!(kept(), first);
    // Another library under the same name.
    let changed = ["-Wl,--build-id", "-O1"];
    library(folder.path(), "libplanted.so", "planted.c", &changed);
    assert_eq!(checked(folder.path(), &program, "planted", &["mutex"]).0, 0);
    assert_eq!(kept().len(), 2);
}

#[test]
fn races_in_a_rewritten_program_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let other = source("planted.c");
    let link = ["-fPIE", "-pie", other.to_str().unwrap()];
    let Some(program) = build(folder.path(), "planted_main.c", &link) else {
        return;
    };
    let rewritten = folder.path().join("rewritten");
    let done = rewrite(&program, &rewritten, &[]);
    assert!(done.status.success(), "{done:?}");
    for (what, expected) in [
        ("unguarded", RACE),
        ("mutex", 0),
        ("spin", 0),
        ("ticket", 0),
    ] {
        let mut command = Command::new(racert());
        command
            .args(["run", "--preload", "--"])
            .arg(&rewritten)
            .arg(what);
        let (code, _, text) = run(&mut command);
        assert_eq!(code, expected, "{what}: {text}");
        assert!(expected == RACE || text.is_empty(), "{what}: {text}");
    }
}

#[test]
fn a_program_can_be_rewritten_itself() {
    let folder = tempfile::tempdir().unwrap();
    let Some(program) = build(folder.path(), "exceptions.cpp", &["-fPIE", "-pie"]) else {
        return;
    };
    let rewritten = folder.path().join("rewritten");
    let done = rewrite(&program, &rewritten, &["--poison"]);
    assert!(done.status.success(), "{done:?}");
    assert_eq!(
        run(&mut Command::new(&rewritten)),
        run(&mut Command::new(&program))
    );
}
