//! Names found after the program has ended, on another machine.

use std::fs::{self, File};
use std::io::{Seek, SeekFrom, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::installed::{succeed, tool};
use crate::support::{Scratch, text};

const RACERT: &str = env!("CARGO_BIN_EXE_racert");

/// A program, its stripped copy, and what the unstripped one says of itself.
struct Built {
    scratch: Scratch,
    named: Vec<Value>,
    /// Records of the stripped copy with `symbolize=0`.
    bare: PathBuf,
}

fn built() -> Built {
    let scratch = Scratch::new();
    scratch.write("many.cpp", include_str!("many.cpp"));
    let scenarios = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/scenarios");
    let mut compile = scratch.command(tool("racert-clang++"));
    compile.args(["-g", "-O1", "many.cpp", "-o", "many", "-I"]);
    succeed(compile.arg(scenarios));
    fs::create_dir(scratch.path().join("elsewhere")).unwrap();
    let mut strip = scratch.command("objcopy");
    succeed(strip.args(["--strip-all", "many", "elsewhere/many"]));
    run(&scratch, "many", "json=named.json");
    // What the file at hand knows must not be asked.
    fs::rename(scratch.path().join("many"), scratch.path().join("kept")).unwrap();
    run(&scratch, "elsewhere/many", "symbolize=0:json=bare.json");
    let named = records(&succeed(scratch.command(RACERT).args([
        "report",
        "named.json",
        "--format",
        "json",
    ])));
    assert_eq!(named.len(), 6, "{named:#?}");
    let bare = scratch.path().join("bare.json");
    Built {
        scratch,
        named,
        bare,
    }
}

fn run(scratch: &Scratch, program: &str, options: &str) {
    let mut command = scratch.command(scratch.path().join(program));
    let output = command.env("RACERT_OPTIONS", options).output().unwrap();
    assert_eq!(output.status.code(), Some(66), "{}", text(&output));
}

fn records(text: &str) -> Vec<Value> {
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
        .collect()
}

/// The record without what differs from run to run.
fn lasting(mut value: Value) -> Value {
    fn clean(value: &mut Value) {
        match value {
            Value::Object(fields) => {
                for key in [
                    "pid",
                    "time",
                    "program",
                    "address",
                    "os_id",
                    "module",
                    "thread_pointer",
                    "running",
                    "occurrences",
                ] {
                    fields.remove(key);
                }
                fields.values_mut().for_each(clean);
            }
            Value::Array(items) => items.iter_mut().for_each(clean),
            _ => {}
        }
    }
    clean(&mut value);
    value
}

fn assert_same(got: &[Value], wanted: &[Value]) {
    assert_eq!(got.len(), wanted.len());
    for (got, wanted) in got.iter().zip(wanted) {
        assert_eq!(got["message"], wanted["message"]);
        assert_eq!(got["fingerprint"], wanted["fingerprint"]);
        assert_eq!(got, wanted);
    }
}

impl Built {
    fn report(&self, symbols: &[&str]) -> Vec<Value> {
        let mut command = self.scratch.command(RACERT);
        command
            .arg("report")
            .arg(&self.bare)
            .args(["--format", "json"]);
        for path in symbols {
            command.args(["--symbols", path]);
        }
        records(&succeed(&mut command))
    }

    fn assert_named(&self, symbols: &[&str]) {
        let late = self.report(symbols);
        let wanted: Vec<Value> = self.named.iter().cloned().map(lasting).collect();
        let got: Vec<Value> = late.into_iter().map(lasting).collect();
        assert_same(&got, &wanted);
    }
}

#[test]
fn as_if_the_process_had_named_them() {
    let built = built();
    let nameless = built.report(&[]);
    let whole = Value::Array(nameless).to_string();
    assert!(!whole.contains("\"function\":\"early"), "{whole}");
    built.assert_named(&["kept"]);

    // A debug file by build id, as distributions keep them.
    let id = built.named[0]["accesses"][0]["stack"]["frames"][0]["build_id"]
        .as_str()
        .unwrap()
        .to_owned();
    let index = built.scratch.path().join("debug/.build-id").join(&id[..2]);
    fs::create_dir_all(&index).unwrap();
    let mut keep = built.scratch.command("objcopy");
    let file = index.join(format!("{}.debug", &id[2..]));
    succeed(keep.args(["--only-keep-debug", "kept"]).arg(&file));
    built.assert_named(&["debug"]);
    built.assert_named(&["debug/.build-id"]);

    // Any file in a directory with the right build id; another one does not
    // help and does not harm.
    let folder = built.scratch.path().join("symbols/deep");
    fs::create_dir_all(&folder).unwrap();
    fs::copy(built.scratch.path().join("kept"), folder.join("renamed")).unwrap();
    built.assert_named(&["/bin/true", "symbols"]);
}

#[test]
fn what_has_no_names_stays_and_a_missing_file_is_named() {
    let built = built();
    let lines = |records: &[Value]| -> Vec<String> {
        let mut prints: Vec<String> = records
            .iter()
            .map(|record| record["fingerprint"].to_string())
            .collect();
        prints.sort();
        prints
    };
    assert_eq!(
        lines(&built.report(&["/bin/true"])),
        lines(&built.report(&[]))
    );
    let output = built
        .scratch
        .command(RACERT)
        .args(["report", "bare.json", "--symbols", "nothing"])
        .output()
        .unwrap();
    assert_ne!(output.status.code(), Some(0));
    assert!(text(&output).contains("--symbols nothing: No such file"));
}

/// Bytes of debug information added to a file.
const MUCH: u64 = 2 << 30;
/// Kilobytes that a report about it may take.
const LITTLE: i64 = 100 << 10;

#[test]
#[expect(clippy::zombie_processes, reason = "wait4 waits for it")]
fn two_gigabytes_of_debug_information_are_not_read() {
    let built = built();
    let kept = built.scratch.path().join("kept");
    let huge = built.scratch.path().join("huge");
    fs::copy(&kept, &huge).unwrap();
    inflate(&huge);
    assert!(fs::metadata(&huge).unwrap().len() > MUCH);
    let mut command = Command::new(RACERT);
    command.current_dir(built.scratch.path());
    command.args([
        "report",
        "bare.json",
        "--symbols",
        "huge",
        "--format",
        "json",
        "-o",
        "out",
    ]);
    let child = command.spawn().unwrap();
    let (mut status, mut usage) = (0, unsafe_zeroed_usage());
    // SAFETY: both are ours to write.
    let ended = unsafe { libc::wait4(child.id() as i32, &mut status, 0, &mut usage) };
    assert_eq!((ended, status), (child.id() as i32, 0));
    assert!(usage.ru_maxrss < LITTLE, "{} KB", usage.ru_maxrss);
    println!("peak {} KB", usage.ru_maxrss);
    let out = fs::read_to_string(built.scratch.path().join("out")).unwrap();
    let got: Vec<Value> = records(&out).into_iter().map(lasting).collect();
    let wanted: Vec<Value> = built.named.iter().cloned().map(lasting).collect();
    assert_same(&got, &wanted);
}

fn unsafe_zeroed_usage() -> libc::rusage {
    // SAFETY: all fields are numbers.
    unsafe { std::mem::zeroed() }
}

/// Puts [`MUCH`] more units behind those of `.debug_info`: a header each, then
/// nothing but ends of lists.
fn inflate(path: &Path) {
    use object::elf::{FileHeader64, SectionHeader64};
    use object::read::elf::{FileHeader, SectionHeader};
    use object::{Endianness, U64};
    const UNIT: u64 = 1 << 20;
    let bytes = fs::read(path).unwrap();
    let header = FileHeader64::<Endianness>::parse(&*bytes).unwrap();
    let endian = header.endian().unwrap();
    let sections = header.sections(endian, &*bytes).unwrap();
    let (index, section) = sections
        .section_by_name(endian, b".debug_info")
        .expect("it has debug information");
    let info = section.data(endian, &*bytes).unwrap();
    let mut file = File::options().write(true).open(path).unwrap();
    let start = bytes.len().next_multiple_of(16) as u64;
    file.seek(SeekFrom::Start(start)).unwrap();
    file.write_all(info).unwrap();
    let mut end = start + info.len() as u64;
    let header_bytes = unit_without_code(info, &sections, endian, &bytes);
    for _ in 0..MUCH / UNIT {
        let mut unit = u32::try_from(UNIT - 4).unwrap().to_le_bytes().to_vec();
        unit.extend(&header_bytes);
        file.write_all_at(&unit, end).unwrap();
        end += UNIT;
    }
    file.set_len(end).unwrap();
    let entry =
        header.e_shoff(endian) as usize + index.0 * size_of::<SectionHeader64<Endianness>>();
    let field = |offset: usize| (entry + offset) as u64;
    let number = |value: u64| U64::new(endian, value);
    file.write_all_at(object::bytes_of(&number(start)), field(24))
        .unwrap();
    file.write_all_at(object::bytes_of(&number(end - start)), field(32))
        .unwrap();
}

/// What follows the length of a unit that has no code: the header of the first
/// one, and an entry that says nothing of addresses.
fn unit_without_code(
    info: &[u8],
    sections: &object::read::elf::SectionTable<'_, object::elf::FileHeader64<object::Endianness>>,
    endian: object::Endianness,
    file: &[u8],
) -> Vec<u8> {
    use gimli::{DebugAbbrev, DebugInfo, LittleEndian};
    use object::read::elf::SectionHeader;
    let (_, section) = sections
        .section_by_name(endian, b".debug_abbrev")
        .expect("debug information has abbreviations");
    let table = DebugAbbrev::new(section.data(endian, file).unwrap(), LittleEndian);
    let first = DebugInfo::new(info, LittleEndian).units().next();
    let first = first.unwrap().expect("there is a unit");
    let codes = first.abbreviations(&table).unwrap();
    let harmless = (1..200)
        .find(|code| {
            let entry = codes.get(*code);
            entry.is_some_and(|entry| entry.tag() == gimli::DW_TAG_base_type)
        })
        .expect("there is a base type");
    let mut unit = info[4..first.size_of_header()].to_vec();
    unit.push(u8::try_from(harmless).unwrap());
    unit
}

/// The calls of `localtime` are in the program itself and have no line for
/// good; their callers' lines are as the record has them.
#[test]
fn what_a_record_says_stays() {
    let scratch = Scratch::new();
    let source = r#"
#include <pthread.h>
#include <time.h>
#include "invisible.h"
static void *early(void *data) {
  time_t now = 0;
  localtime(&now);
  take_step();
  return data;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, early, 0);
  wait_for_step(1);
  time_t now = 0;
  localtime(&now);
  pthread_join(thread, 0);
}
"#;
    let source = scratch.write("clock.c", source);
    let scenarios = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/scenarios");
    let mut compile = scratch.command(tool("racert-clang"));
    compile.args(["-g", "-O1", "-o", "clock", "-I"]);
    succeed(compile.arg(scenarios).arg(&source));
    let folder = scratch.path().display();
    let options = format!("json=clock.json:strip_path_prefix={folder}/");
    run(&scratch, "clock", &options);
    let mut report = scratch.command(RACERT);
    let all = records(&succeed(report.args([
        "report",
        "clock.json",
        "--format",
        "json",
    ])));
    let frames = |access: usize| all[0]["accesses"][access]["stack"]["frames"].clone();
    for access in [0, 1] {
        assert_eq!(frames(access)[0]["function"], "localtime", "{all:#?}");
        assert_eq!(frames(access)[1]["file"], "clock.c", "{all:#?}");
    }
}
