//! Hostile surroundings: a clear line or business as usual, never a crash and
//! never a hang.

use std::path::{Path, PathBuf};
use std::process::Command;

use racert_tests::program::{
    Program, assert_ended, assert_quiet, assert_race_reported, assert_refused, compile_file, run,
};

#[test]
fn descriptor_2_closed_from_the_start() {
    assert_quiet(&run(&mut Program::quiet().after("exec 2>&-")));
    let outcome = run(&mut Program::racy().after("exec 2>&-"));
    assert_ended(&outcome);
    assert_eq!(outcome.code, 66, "{}", outcome.describe());
}

#[test]
fn descriptor_2_is_full() {
    let outcome = run(&mut Program::racy().after("exec 2>/dev/full"));
    assert_ended(&outcome);
    assert_eq!(outcome.code, 66, "{}", outcome.describe());
}

/// The reading end is gone before the program starts.
#[test]
fn descriptor_2_is_a_broken_pipe() {
    let folder = tempfile::tempdir().unwrap();
    let script = "mkfifo \"$1\" && exec 3<>\"$1\" 4>\"$1\" 3>&- && exec \"$0\" 2>&4";
    let outcome = run(Command::new("sh")
        .args(["-c", script])
        .arg(&Program::racy().path)
        .arg(folder.path().join("pipe")));
    assert_ended(&outcome);
    assert_eq!(outcome.code, 66, "{}", outcome.describe());
}

#[test]
fn descriptor_2_is_a_file_that_may_not_grow() {
    let outcome = run(&mut Program::racy().after("ulimit -f 0"));
    assert_ended(&outcome);
    assert_eq!(outcome.code, 66, "{}", outcome.describe());
}

#[test]
fn little_address_space() {
    let (racy, quiet) = (Program::racy(), Program::quiet());
    for kilobytes in [20_000, 100_000, 1_000_000, 16_000_000] {
        let limit = format!("ulimit -v {kilobytes}");
        for program in [&racy, &quiet] {
            let outcome = run(&mut program.after(&limit));
            assert_ended(&outcome);
            let explained = outcome.stderr.lines().any(|line| line.contains("racert"));
            let worked = outcome.code == if std::ptr::eq(program, &racy) { 66 } else { 0 };
            // The loader itself gives up below what the program's own files need.
            let loader = outcome.code == 127;
            assert!(
                worked || explained || loader,
                "{limit}\n{}",
                outcome.describe()
            );
        }
    }
}

#[test]
fn small_main_stack() {
    assert_race_reported(&run(&mut Program::racy().after("ulimit -s 160")));
    assert_quiet(&run(&mut Program::quiet().after("ulimit -s 160")));
}

/// Limits that the process itself may lift are no obstacle.
#[test]
fn soft_limits() {
    let (racy, quiet) = (Program::racy(), Program::quiet());
    for limit in ["ulimit -S -v 100000", "ulimit -S -d 10000"] {
        assert_race_reported(&run(&mut racy.after(limit)));
        assert_quiet(&run(&mut quiet.after(limit)));
    }
}

#[test]
fn little_data() {
    let quiet = Program::quiet();
    // With less than the program's own variables need, the kernel starts
    // nothing.
    for kilobytes in [20_000, 100_000, 16_000_000] {
        let outcome = run(&mut quiet.after(&format!("ulimit -d {kilobytes}")));
        assert_refused(&outcome, "ulimit -d");
    }
}

/// A launcher that takes a system call away, see its source.
struct Sandbox {
    launcher: PathBuf,
    _folder: tempfile::TempDir,
}

impl Sandbox {
    fn new() -> Sandbox {
        let folder = tempfile::tempdir().unwrap();
        let launcher = folder.path().join("deny");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/deny.c");
        let outcome = run(Command::new("cc").arg(source).arg("-o").arg(&launcher));
        assert_eq!(outcome.code, 0, "{}", outcome.describe());
        Sandbox {
            launcher,
            _folder: folder,
        }
    }

    fn start(&self, call: u32, error: i32, program: &Program) -> Command {
        let mut command = Command::new(&self.launcher);
        command.env_remove("RACERT_OPTIONS");
        command.args([call.to_string(), error.to_string()]);
        command.arg(&program.path);
        command
    }
}

const EPERM: i32 = 1;
const ENOMEM: i32 = 12;
const EINVAL: i32 = 22;
const ENOSYS: i32 = 38;

/// Calls of x86-64 Linux that the runtime makes and can do without.
const DISPENSABLE: [(&str, u32); 14] = [
    ("rt_sigaction", 13),
    ("rt_sigprocmask", 14),
    ("ioctl", 16),
    ("sched_yield", 24),
    ("mincore", 27),
    ("madvise", 28),
    ("getcwd", 79),
    ("readlink", 89),
    ("rt_sigpending", 127),
    ("rt_sigtimedwait", 128),
    ("personality", 135),
    ("prlimit64", 302),
    ("process_vm_readv", 310),
    ("membarrier", 324),
];

#[test]
fn sandboxes() {
    let sandbox = Sandbox::new();
    let (racy, quiet) = (Program::racy(), Program::quiet());
    for (name, call) in DISPENSABLE {
        for error in [EPERM, EINVAL, ENOSYS] {
            println!("{name} fails with {error}");
            assert_race_reported(&run(&mut sandbox.start(call, error, &racy)));
            assert_quiet(&run(&mut sandbox.start(call, error, &quiet)));
        }
    }
}

/// What a sandbox's or the kernel's accounting of memory looks like to the
/// program.
#[test]
fn large_reservations_are_refused() {
    const LARGE_MMAP: u32 = 0xff00_0000;
    let sandbox = Sandbox::new();
    let quiet = Program::quiet();
    for error in [ENOMEM, EPERM, EINVAL] {
        let outcome = run(&mut sandbox.start(LARGE_MMAP, error, &quiet));
        assert_refused(&outcome, "cannot reserve");
    }
}

#[test]
fn without_address_randomisation() {
    let (racy, quiet) = (Program::racy(), Program::quiet());
    assert_race_reported(&run(Command::new("setarch").arg("-R").arg(&racy.path)));
    assert_quiet(&run(Command::new("setarch").arg("-R").arg(&quiet.path)));
}

/// Libraries are mapped upwards from a third of the address space.
#[test]
fn legacy_address_layout() {
    let (racy, quiet) = (Program::racy(), Program::quiet());
    for preparation in ["ulimit -s unlimited && exec", "exec setarch -L"] {
        assert_race_reported(&run(&mut racy.started_by(preparation)));
        assert_quiet(&run(&mut quiet.started_by(preparation)));
    }
}

/// Addresses that only the widest randomisation hands out.
#[test]
fn memory_at_the_edges() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("edges");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/edges.c");
    let outcome = run(&mut compile_file(&source, &["-g"], &program));
    assert_eq!(outcome.code, 0, "{}", outcome.describe());
    let outcome = run(Command::new(&program).env_remove("RACERT_OPTIONS"));
    assert_race_reported(&outcome);
    let reports = outcome.stderr.matches("WARNING: racert: data race").count();
    assert_eq!(outcome.stdout, format!("{reports} places\n"));
}

/// However the kernel happens to place the program.
#[test]
fn any_address_layout() {
    let (racy, quiet) = (Program::racy(), Program::quiet());
    for _ in 0..20 {
        assert_race_reported(&run(&mut racy.command()));
        assert_quiet(&run(&mut quiet.command()));
    }
}

/// A setting of the kernel, put back when this is dropped.
struct Setting {
    path: PathBuf,
    before: String,
}

impl Setting {
    fn change(name: &str, value: &str) -> Setting {
        let path = Path::new("/proc/sys/vm").join(name);
        let before = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, value).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        Setting { path, before }
    }
}

impl Drop for Setting {
    fn drop(&mut self) {
        let _ = std::fs::write(&self.path, &self.before);
    }
}

#[test]
#[ignore = "changes settings of the machine while it runs; needs root"]
fn settings_of_the_kernel() {
    let (racy, quiet) = (Program::racy(), Program::quiet());
    let works = |times| {
        for _ in 0..times {
            assert_race_reported(&run(&mut racy.command()));
            assert_quiet(&run(&mut quiet.command()));
        }
    };
    // The kernel's configuration bounds what can be set here.
    for bits in ["32", "28"] {
        let _bits = Setting::change("mmap_rnd_bits", bits);
        works(100);
    }
    {
        let _strict = Setting::change("overcommit_memory", "2");
        assert_refused(&run(&mut quiet.command()), "overcommit_memory");
    }
    let _always = Setting::change("overcommit_memory", "1");
    works(3);
}
