//! Files that cannot be rewritten are refused in one line, and nothing crashes
//! the rewriter.

use std::fs;

use racert_tests::rewriting::{REFUSED, build, library, rewrite};

/// Exit code for output that cannot be written.
const CANNOT_WRITE: i32 = 73;

#[test]
fn other_files_are_refused_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let Some(program) = build(folder.path(), "exceptions.cpp", &[]) else {
        return;
    };
    let good = fs::read(&program).unwrap();
    let changed = |at: usize, byte: u8| {
        let mut bytes = good.clone();
        bytes[at] = byte;
        bytes
    };
    let (mut bare, mut many) = (good.clone(), good.clone());
    bare[40..48].fill(0);
    bare[60..62].fill(0);
    many[56..58].fill(0xff);
    let mut overlapping = good.clone();
    let loads: Vec<usize> = program_headers(&good, 1).collect();
    let first = good[loads[0] + 16..loads[0] + 24].to_vec();
    overlapping[loads[1] + 16..loads[1] + 24].copy_from_slice(&first);
    let cases: [(&str, Vec<u8>); 10] = [
        ("overlap", overlapping),
        ("not an ELF file", Vec::new()),
        ("not an ELF file", b"#!/bin/sh\n".to_vec()),
        ("32-bit", changed(4, 1)),
        ("AArch64", changed(18, 183)),
        ("fixed addresses", changed(16, 2)),
        ("truncated", good[..good.len() / 2].to_vec()),
        ("truncated", good[..40].to_vec()),
        ("no section headers", bare),
        ("damaged", many),
    ];
    for (message, bytes) in cases {
        let (input, output) = (folder.path().join("input"), folder.path().join("output"));
        fs::write(&input, bytes).unwrap();
        let refused = rewrite(&input, &output, &[]);
        let text = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert_eq!(refused.status.code(), Some(REFUSED), "{message}: {text}");
        assert!(
            text.contains(message) && text.lines().count() == 1,
            "{text}"
        );
        assert!(!output.exists());
    }
}

/// Where the program headers of a kind are.
fn program_headers(bytes: &[u8], kind: u32) -> impl Iterator<Item = usize> {
    let table = u64::from_le_bytes(bytes[32..40].try_into().unwrap()) as usize;
    let count = usize::from(u16::from_le_bytes([bytes[56], bytes[57]]));
    let headers = (0..count).map(move |index| table + index * 56);
    headers.filter(move |&at| bytes[at..at + 4] == kind.to_le_bytes())
}

#[test]
fn without_unwind_tables_nothing_is_guessed() {
    let folder = tempfile::tempdir().unwrap();
    let bare = ["-fno-asynchronous-unwind-tables", "-nostartfiles"];
    let input = library(folder.path(), "libplanted.so", "planted.c", &bare);
    let output = folder.path().join("out");
    let done = rewrite(&input, &output, &[]);
    let text = String::from_utf8_lossy(&done.stderr).into_owned();
    assert_eq!(done.status.code(), Some(REFUSED), "{text}");
    assert!(
        text.contains("unwind tables") && text.lines().count() == 1,
        "{text}"
    );
    assert!(!output.exists());
}

#[test]
fn what_is_there_stays_if_rewriting_fails() {
    let folder = tempfile::tempdir().unwrap();
    let (input, output) = (folder.path().join("input"), folder.path().join("output"));
    fs::write(&input, "#!/bin/sh\n").unwrap();
    fs::write(&output, "before").unwrap();
    assert_eq!(rewrite(&input, &output, &[]).status.code(), Some(REFUSED));
    assert_eq!(fs::read_to_string(&output).unwrap(), "before");
    let good = library(folder.path(), "libplanted.so", "planted.c", &[]);
    let nowhere = folder.path().join("no/such/folder");
    let done = rewrite(&good, &nowhere, &[]);
    assert_eq!(done.status.code(), Some(CANNOT_WRITE));
    let left = fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(left, 3, "no temporary files");
}

#[test]
fn a_large_library_is_rewritten() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data.c");
    fs::write(&data, "char large[200 << 20] = {1};\n").unwrap();
    let large = [data.to_str().unwrap()];
    let input = library(folder.path(), "liblarge.so", "planted.c", &large);
    assert!(fs::metadata(&input).unwrap().len() > 200 << 20);
    let output = folder.path().join("out");
    let done = rewrite(&input, &output, &[]);
    assert!(done.status.success(), "{done:?}");
}

#[test]
fn damaged_files_never_crash_the_rewriter() {
    let folder = tempfile::tempdir().unwrap();
    let Some(program) = build(folder.path(), "exceptions.cpp", &[]) else {
        return;
    };
    let good = fs::read(&program).unwrap();
    let (input, output) = (folder.path().join("input"), folder.path().join("output"));
    let mut seed = 1u64;
    for _ in 0..200 {
        let mut bytes = good.clone();
        for _ in 0..4 {
            seed = seed
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            // Headers, and the tables at both ends of the file.
            let at = match seed >> 62 {
                0 => (seed >> 20) as usize % 1024,
                1 => bytes.len() - 1 - (seed >> 20) as usize % 2048,
                _ => (seed >> 20) as usize % bytes.len(),
            };
            bytes[at] = (seed >> 12) as u8;
        }
        fs::write(&input, bytes).unwrap();
        let done = rewrite(&input, &output, &[]);
        let text = String::from_utf8_lossy(&done.stderr).into_owned();
        let expected = [Some(0), Some(REFUSED)];
        assert!(expected.contains(&done.status.code()), "{done:?}: {text}");
    }
}
