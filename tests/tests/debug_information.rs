//! Reports of programs whose debug information comes in every form a build
//! leaves it in: names, files and lines are the same in all of them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use racert_tests::execute::Outcome;
use racert_tests::program::{assert_race_reported, compiler, prefix, run};
use tempfile::TempDir;

/// The program under test and the lines of its two accesses.
const SOURCE: &str = "plain/int_race.c";
const WRITE: (&str, &str) = ("write_it", "plain/int_race.c:10:");
const READ: (&str, &str) = ("read_it", "plain/int_race.c:13:");

/// A build in a folder of its own.
struct Build {
    folder: TempDir,
}

impl Build {
    /// Compiles and links in two steps, as builds do: what the first leaves
    /// beside the object is found again or is not.
    fn new(flags: &[&str]) -> Build {
        let build = Build {
            folder: tempfile::tempdir().unwrap(),
        };
        let object = build.path("program.o");
        let compile = [flags, &["-c"]].concat();
        build.succeed(&mut compiler(SOURCE, &compile, &object));
        let mut link = Command::new(prefix().join("bin/racert-clang"));
        let link_flags = flags.iter().filter(|flag| !flag.starts_with("-gsplit"));
        link.args(link_flags).arg("-pthread").arg(&object);
        build.succeed(link.arg("-o").arg(build.path("program")));
        build
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn succeed(&self, command: &mut Command) -> String {
        let outcome = run(command.current_dir(self.folder.path()));
        assert_eq!(outcome.code, 0, "{command:?}\n{}", outcome.describe());
        outcome.stdout
    }

    /// Runs a tool in the folder.
    fn tool(&self, line: &str) -> String {
        let mut words = line.split_whitespace();
        let mut command = Command::new(words.next().unwrap());
        self.succeed(command.args(words))
    }

    fn report(&self) -> Outcome {
        let mut command = Command::new(self.path("program"));
        run(command.env_remove("RACERT_OPTIONS").current_dir("/"))
    }

    #[track_caller]
    fn is_well_described(&self, what: &str) {
        check(&self.report(), what);
    }
}

#[track_caller]
fn check(outcome: &Outcome, what: &str) {
    assert_race_reported(outcome);
    for (function, place) in [WRITE, READ] {
        let found = outcome.stderr.lines().any(|line| {
            line.trim_start().starts_with("#0 ") && line.contains(function) && line.contains(place)
        });
        let text = outcome.describe();
        assert!(found, "{what}: no frame of {function} at {place}\n{text}");
    }
    let variable = outcome.stderr.contains("global 'shared'");
    assert!(variable, "{what}\n{}", outcome.describe());
}

fn is_installed(tool: &str) -> bool {
    let found = Command::new(tool).arg("--version").output();
    found.is_ok_and(|output| output.status.success())
}

#[test]
fn versions_and_kinds() {
    for flags in [
        &["-g"][..],
        &["-gdwarf-4"],
        &["-gdwarf-5"],
        &["-gline-tables-only"],
        &["-g1"],
        &["-ggdb3"],
        &["-g", "-no-pie", "-fno-pie"],
        &["-g", "-fPIE", "-pie"],
        &["-g", "-gdwarf64", "-gdwarf-5"],
        &[
            "-g",
            "-ffunction-sections",
            "-fdata-sections",
            "-Wl,--gc-sections",
        ],
        &["-g", "-fno-omit-frame-pointer", "-mcmodel=large"],
    ] {
        Build::new(flags).is_well_described(&flags.join(" "));
    }
}

#[test]
fn compressed() {
    for flags in [
        &["-g", "-gz"][..],
        &["-g", "-gz=zlib"],
        &["-g", "-gz=zstd"],
        &["-g", "-Wl,--compress-debug-sections=zlib"],
    ] {
        Build::new(flags).is_well_described(&flags.join(" "));
    }
}

#[test]
fn split() {
    for version in ["-gdwarf-4", "-gdwarf-5"] {
        let build = Build::new(&[version, "-gsplit-dwarf"]);
        assert!(build.path("program.dwo").is_file());
        build.is_well_described(&format!("{version}, loose files"));

        // binutils' packager knows version 4 only.
        let packager = match version {
            "-gdwarf-4" => "dwp",
            _ => "llvm-dwp-22",
        };
        if is_installed(packager) {
            build.tool(&format!("{packager} -e program -o program.dwp"));
            fs::remove_file(build.path("program.dwo")).unwrap();
            build.is_well_described(&format!("{version}, package"));
        }
    }
}

#[test]
fn split_and_compressed() {
    let build = Build::new(&["-g", "-gsplit-dwarf", "-gz"]);
    build.is_well_described("split and compressed");
}

/// Leaves `program` without debug information, which goes to `debug`.
fn separate(build: &Build, debug: &Path) {
    fs::create_dir_all(debug.parent().unwrap()).unwrap();
    let debug = debug.display();
    build.tool(&format!("objcopy --only-keep-debug program {debug}"));
    build.tool(&format!(
        "objcopy --strip-all --add-gnu-debuglink={debug} program"
    ));
}

#[test]
fn by_debug_link() {
    for place in ["program.debug", ".debug/program.debug"] {
        let build = Build::new(&["-g"]);
        separate(&build, &build.path(place));
        build.is_well_described(place);
    }
}

fn build_id(build: &Build) -> String {
    let notes = build.tool("readelf -n program");
    let line = notes.lines().find_map(|line| line.split_once("Build ID:"));
    line.expect("a build id").1.trim().to_owned()
}

/// Under `/usr/lib/debug`, which a folder of the test's stands for: in a name
/// space of its own, where the kernel allows one.
#[test]
fn in_the_systems_folder() {
    let script = "mount --bind \"$1\" /usr/lib/debug && exec \"$0\"";
    let in_folder = |program: &Path, folder: &Path| {
        let mut command = Command::new("unshare");
        command.args(["--map-root-user", "--mount", "sh", "-c", script]);
        command.arg(program).arg(folder);
        run(command.env_remove("RACERT_OPTIONS"))
    };
    let build = Build::new(&["-g"]);
    let system = build.path("system");
    fs::create_dir_all(&system).unwrap();
    if in_folder(Path::new("/bin/true"), &system).code != 0 {
        println!("no name spaces, or no /usr/lib/debug: not tried");
        return;
    }
    let id = build_id(&build);
    let by_id = format!(".build-id/{}/{}.debug", &id[..2], &id[2..]);
    separate(&build, &system.join(&by_id));
    check(&in_folder(&build.path("program"), &system), "by build id");

    // By the link's name and the program's folder.
    let here = build.folder.path().canonicalize().unwrap();
    let beside = system.join(here.strip_prefix("/").unwrap());
    fs::create_dir_all(&beside).unwrap();
    let name = Path::new(&by_id).file_name().unwrap();
    fs::rename(system.join(&by_id), beside.join(name)).unwrap();
    check(&in_folder(&here.join("program"), &system), "by link");
}

/// In the folder of debuginfod's client, as each of the variables that tell it
/// says.
#[test]
fn fetched_before() {
    let build = Build::new(&["-g"]);
    let id = build_id(&build);
    let cache = build.path("cache");
    separate(
        &build,
        &cache
            .join(".cache/debuginfod_client")
            .join(&id)
            .join("debuginfo"),
    );
    let client = cache.join(".cache/debuginfod_client");
    let named = [
        ("DEBUGINFOD_CACHE_PATH", client.clone()),
        ("XDG_CACHE_HOME", cache.join(".cache")),
        ("HOME", cache.clone()),
    ];
    for (variable, folder) in named {
        let mut command = Command::new(build.path("program"));
        for other in [
            "DEBUGINFOD_CACHE_PATH",
            "XDG_CACHE_HOME",
            "HOME",
            "RACERT_OPTIONS",
        ] {
            command.env_remove(other);
        }
        check(&run(command.env(variable, folder)), variable);
    }
}

/// Without any, module, offset and build id: what it takes to find out later.
#[test]
fn stripped() {
    let build = Build::new(&["-g"]);
    fs::copy(build.path("program"), build.path("full")).unwrap();
    build.tool("strip program");
    let outcome = build.report();
    assert_race_reported(&outcome);
    let id = format!("(build id {})", build_id(&build));
    let frames: Vec<&str> = outcome
        .stderr
        .lines()
        .filter_map(|line| line.trim().strip_prefix("#0 ")?.strip_suffix(&id))
        .collect();
    assert!(frames.len() >= 2, "{}", outcome.describe());
    let program = format!("{}+", build.path("program").display());
    let addresses = frames.iter().map(|frame| {
        let offset = frame.trim().strip_prefix(&program);
        offset.unwrap_or_else(|| panic!("{frame}"))
    });
    let mut line = vec!["-fe", "full"];
    line.extend(addresses);
    let named = build.succeed(Command::new("addr2line").args(line));
    for (function, _) in [WRITE, READ] {
        assert!(named.contains(function), "{named}");
    }
}

/// A debug file of another build says nothing about this one.
#[test]
fn of_another_build() {
    let build = Build::new(&["-g"]);
    let other = Build::new(&["-g", "-DOTHER", "-fno-inline", "-O0"]);
    separate(&build, &build.path("program.debug"));
    let theirs = other.path("program");
    build.tool(&format!(
        "objcopy --only-keep-debug {} program.debug",
        theirs.display()
    ));
    let outcome = build.report();
    assert_race_reported(&outcome);
    assert!(!outcome.stderr.contains(WRITE.1), "{}", outcome.describe());
}

/// Rust's names, from a program that rustc instruments through the plugin.
#[test]
fn rust_names() {
    let plugin = prefix().join("lib/libracert_pass-22.so");
    let version = run(Command::new("rustc").arg("-vV")).stdout;
    if !version.contains("LLVM version: 22.") || !plugin.exists() {
        println!("rustc has another LLVM than the plugin: not tried");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/counter.rs");
    for mangling in ["legacy", "v0"] {
        let program = folder.path().join(mangling);
        let mut rustc = Command::new("rustc");
        rustc
            .env("RUSTC_BOOTSTRAP", "1")
            .args(["--edition=2024", "-O", "-g", "-Zunstable-options"])
            .arg(format!("-Zllvm-plugins={}", plugin.display()))
            .arg(format!("-Csymbol-mangling-version={mangling}"))
            .arg(format!(
                "-Clinker={}",
                prefix().join("bin/racert-clang").display()
            ))
            .arg(&source)
            .arg("-o")
            .arg(&program);
        let outcome = run(&mut rustc);
        assert_eq!(outcome.code, 0, "{}", outcome.describe());
        let outcome = run(Command::new(&program).env_remove("RACERT_OPTIONS"));
        assert_race_reported(&outcome);
        let names = [
            "counting::Counter",
            "counter.rs:14:",
            "counting::COUNTER.value' (u64 Counter.value)",
        ];
        for words in names {
            let text = outcome.describe();
            assert!(
                outcome.stderr.contains(words),
                "{mangling}: {words}\n{text}"
            );
        }
        assert!(!outcome.stderr.contains("17h"), "{}", outcome.describe());
    }
}
