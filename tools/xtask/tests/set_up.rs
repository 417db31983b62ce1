//! The set-up of a machine, on machines made up of a folder: its `PATH` holds
//! an `apt-get` that writes down what it is asked and "installs" by making
//! empty programs, so nothing here needs a network or changes anything.

use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::thread;
use std::time::Duration;

use tempfile::TempDir;

/// Writes down its arguments and makes what the packages would bring.
const APT_GET: &str = r#"#!/bin/sh
machine=${0%/*}/..
export PATH=/usr/bin:/bin
echo "apt-get $*" >> "$machine/calls"
[ -e "$machine/offline" ] && { echo "E: no network" >&2; exit 100; }
install=
for word; do
  case $word in
    update) : > "$machine/lists" ;;
    install) install=yes ;;
    -*) ;;
    clang-*) : > "$machine/bin/$word"; : > "$machine/bin/clang++-${word#clang-}" ;;
    llvm-*-dev)
      version=${word#llvm-}
      printf '#!/bin/sh\necho "%s/include"\n' "$machine" > "$machine/bin/llvm-config-${version%-dev}"
      chmod +x "$machine/bin/llvm-config-${version%-dev}" ;;
    *) [ -n "$install" ] && : > "$machine/bin/$word" ;;
  esac
done
"#;

/// Knows every package once the lists are read, but for those kept away.
const APT_CACHE: &str = r#"#!/bin/sh
machine=${0%/*}/..
candidate=1.0
[ -e "$machine/lists" ] || candidate='(none)'
[ -e "$machine/away-$2" ] && candidate='(none)'
printf '%s:\n  Installed: (none)\n  Candidate: %s\n' "$2" "$candidate"
"#;

/// Says that it was there, and does what it is told.
const SUDO: &str = "#!/bin/sh\necho sudo >> \"${0%/*}/../calls\"\nexec \"$@\"\n";

/// A machine made up of a folder.
struct Machine {
    folder: TempDir,
}

/// A process that another test starts at this moment may still have the copied
/// program open for writing.
fn output(command: &mut Command) -> Said {
    loop {
        match command.output() {
            Err(error) if error.kind() == ErrorKind::ExecutableFileBusy => {
                thread::sleep(Duration::from_millis(5));
            }
            result => return Said::new(result.unwrap()),
        }
    }
}

impl Machine {
    /// Nothing but a shell's `env`.
    fn bare() -> Machine {
        let machine = Machine {
            folder: tempfile::tempdir().unwrap(),
        };
        for folder in ["bin", "include/llvm/IR", "target"] {
            fs::create_dir_all(machine.path(folder)).unwrap();
        }
        fs::write(machine.path("include/llvm/IR/PassManager.h"), "").unwrap();
        symlink("/usr/bin/env", machine.path("bin/env")).unwrap();
        fs::copy(env!("CARGO_BIN_EXE_xtask"), machine.path("xtask")).unwrap();
        machine
    }

    /// One with apt.
    fn debian() -> Machine {
        let machine = Machine::bare();
        machine.program("apt-get", APT_GET);
        machine.program("apt-cache", APT_CACHE);
        machine
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn program(&self, name: &str, text: &str) {
        let path = self.path("bin").join(name);
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// Installs without asking apt.
    fn brings(&self, llvm: u32) {
        let config = format!("#!/bin/sh\necho \"{}\"\n", self.path("include").display());
        self.program(&format!("llvm-config-{llvm}"), &config);
        for name in [&format!("clang-{llvm}"), &format!("clang++-{llvm}"), "g++"] {
            self.program(name, "");
        }
    }

    fn keeps_away(&self, llvm: u32) {
        for package in [format!("clang-{llvm}"), format!("llvm-{llvm}-dev")] {
            fs::write(self.path(&format!("away-{package}")), "").unwrap();
        }
    }

    fn xtask(&self, arguments: &str) -> Command {
        let mut command = Command::new(self.path("xtask"));
        command
            .args(arguments.split_whitespace())
            .env_clear()
            .env("PATH", self.path("bin"))
            .env("CARGO_TARGET_DIR", self.path("target"))
            .current_dir("/");
        command
    }

    fn run(&self, arguments: &str) -> Said {
        output(&mut self.xtask(arguments))
    }

    /// Runs it as somebody who is not root.
    fn run_as_user(&self, arguments: &str) -> Said {
        let mut command = self.xtask(arguments);
        if is_root() {
            open_to_all(self.folder.path());
            command.uid(NOBODY).gid(NOBODY);
        }
        output(&mut command)
    }

    /// What apt-get and sudo were asked, and forgets it.
    fn calls(&self) -> String {
        let calls = fs::read_to_string(self.path("calls")).unwrap_or_default();
        let _ = fs::remove_file(self.path("calls"));
        calls
    }
}

const NOBODY: u32 = 65_534;

fn is_root() -> bool {
    // SAFETY: geteuid has no preconditions.
    unsafe { libc::geteuid() == 0 }
}

fn open_to_all(folder: &Path) {
    fs::set_permissions(folder, fs::Permissions::from_mode(0o777)).unwrap();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            open_to_all(&path);
        }
    }
}

/// What xtask answered.
#[derive(Debug)]
struct Said {
    code: Option<i32>,
    out: String,
    err: String,
}

impl Said {
    fn new(output: Output) -> Said {
        Said {
            code: output.status.code(),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    #[track_caller]
    fn succeeds_with(&self, llvm: u32) {
        assert_eq!(self.code, Some(0), "{self:?}");
        let words = format!("LLVM {llvm} is used");
        assert!(self.out.contains(&words), "{self:?}");
    }

    #[track_caller]
    fn fails_with(&self, words: &[&str]) {
        assert_eq!(self.code, Some(1), "{self:?}");
        for word in words {
            assert!(self.err.contains(word), "no '{word}' in {self:?}");
        }
    }
}

#[test]
fn without_installing_it_names_what_is_missing() {
    for machine in [Machine::bare(), Machine::debian()] {
        for task in ["demo", "setup", "test"] {
            let said = machine.run(&format!("{task} --no-install"));
            said.fails_with(&["missing packages: ", "clang-22", "g++", "apt-get install"]);
        }
        assert_eq!(machine.calls(), "");
    }
}

#[test]
fn without_installing_it_names_what_can_be_had() {
    let machine = Machine::debian();
    fs::write(machine.path("lists"), "").unwrap();
    machine.keeps_away(22);
    let said = machine.run("demo --no-install");
    said.fails_with(&["clang-19", "g++"]);
}

#[test]
fn installs_once() {
    let machine = Machine::debian();
    machine.run("setup --for demo").succeeds_with(22);
    let calls = machine.calls();
    assert!(calls.starts_with("apt-get --quiet update\n"), "{calls}");
    assert!(calls.contains(" install --yes "), "{calls}");
    for package in ["clang-22", "g++"] {
        assert!(calls.contains(&format!(" {package}")), "{calls}");
    }
    assert!(!calls.contains("clang-19"), "{calls}");
    machine.run("setup --for demo").succeeds_with(22);
    machine
        .run("setup --for demo --no-install")
        .succeeds_with(22);
    assert_eq!(machine.calls(), "", "nothing is left to install");
}

#[test]
fn the_older_llvm_where_the_newer_cannot_be_had() {
    let machine = Machine::debian();
    machine.keeps_away(22);
    machine.run("setup --for demo").succeeds_with(19);
    let calls = machine.calls();
    assert!(calls.contains(" clang-19"), "{calls}");
    assert!(!calls.contains("clang-22"), "{calls}");
    machine.run("setup --for demo").succeeds_with(19);
    assert_eq!(machine.calls(), "", "nothing is left to install");
}

#[test]
fn none_can_be_had() {
    let machine = Machine::debian();
    machine.keeps_away(22);
    machine.keeps_away(19);
    machine.keeps_away(18);
    machine
        .run("setup --for demo")
        .fails_with(&["no packages of LLVM 22, 19 or 18"]);
}

#[test]
fn only_the_oldest_can_be_had() {
    let machine = Machine::debian();
    machine.keeps_away(22);
    machine.keeps_away(19);
    machine.run("setup --for demo").succeeds_with(18);
    let calls = machine.calls();
    assert!(calls.contains(" clang-18"), "{calls}");
}

#[test]
fn what_is_there_is_enough_without_a_network() {
    let machine = Machine::debian();
    fs::write(machine.path("offline"), "").unwrap();
    machine.run("setup --for demo").fails_with(&["apt-get"]);
    machine.brings(19);
    machine.run("setup --for demo").succeeds_with(19);
}

#[test]
fn a_user_installs_through_sudo() {
    let machine = Machine::debian();
    machine
        .run_as_user("setup --for demo")
        .fails_with(&["needs root or sudo"]);
    assert_eq!(machine.calls(), "");
    machine.program("sudo", SUDO);
    machine.run_as_user("setup --for demo").succeeds_with(22);
    let calls = machine.calls();
    assert!(
        calls.starts_with("sudo\napt-get --quiet update\nsudo\n"),
        "{calls}"
    );
    machine.run_as_user("setup --for demo").succeeds_with(22);
    assert_eq!(machine.calls(), "");
}

#[test]
fn a_system_without_apt_is_told() {
    let machine = Machine::bare();
    machine
        .run("setup --for demo")
        .fails_with(&["missing: ", "no apt-get here"]);
    machine.brings(22);
    machine.run("setup --for demo").succeeds_with(22);
}
