//! The proof of it all: a small program with a race, compiled and run.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use super::finding::Finding;

const SUBJECT: &str = "trial run";

/// Exit code of a program in which the runtime reported a race.
const RACE_FOUND: i32 = 66;

/// Two threads that write one variable, whatever the order.
const PROGRAM: &str = "\
#include <pthread.h>
int shared;
static void *write_it(void *p) { shared++; return p; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, write_it, 0);
  pthread_create(&b, 0, write_it, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
";

/// Compiles and runs the program.
pub(super) fn check() -> Finding {
    match try_out(None) {
        Ok(()) => Finding::ok(SUBJECT, "a program was compiled, run, and its race found"),
        Err(Trouble { what, remedy }) => Finding::fail(SUBJECT, what, remedy),
    }
}

/// Compiles the program, with `compiler` instead of the preferred one if that
/// is given, runs it and looks whether its race was found.
pub(crate) fn try_out(compiler: Option<&str>) -> Result<(), Trouble> {
    let folder = Folder::new()?;
    let program = compile(&folder.0, compiler)?;
    run(&program)
}

/// What went wrong, and what to do about it.
pub(crate) struct Trouble {
    /// In one line.
    pub(crate) what: String,
    /// Where to look.
    pub(crate) remedy: &'static str,
}

/// A folder that goes away.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Result<Folder, Trouble> {
        let path = std::env::temp_dir().join(format!("racert-doctor-{}", std::process::id()));
        match fs::create_dir(&path) {
            Ok(()) => Ok(Folder(path)),
            Err(error) => Err(Trouble {
                what: format!("cannot make {}: {error}", path.display()),
                remedy: "set TMPDIR to a folder that can be written to",
            }),
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn compile(folder: &Path, compiler: Option<&str>) -> Result<PathBuf, Trouble> {
    let (source, program) = (folder.join("trial.c"), folder.join("trial"));
    let compiled = fs::write(&source, PROGRAM).and_then(|()| {
        let mut command = Command::new(std::env::current_exe()?);
        if let Some(compiler) = compiler {
            command.env("RACERT_CC", compiler);
        }
        command
            .args(["cc", "-O1", "-pthread"])
            .arg(&source)
            .arg("-o")
            .arg(&program)
            .stdin(Stdio::null())
            .output()
    });
    match compiled {
        Ok(output) if output.status.success() => Ok(program),
        other => Err(Trouble {
            what: format!("a small program does not compile: {}", reason(other)),
            remedy: "see the compiler's line above, if there is one",
        }),
    }
}

fn run(program: &Path) -> Result<(), Trouble> {
    let outcome = Command::new(program)
        .env_remove("RACERT_OPTIONS")
        .stdin(Stdio::null())
        .output();
    match outcome {
        Ok(output) if output.status.code() == Some(RACE_FOUND) => Ok(()),
        other => Err(Trouble {
            what: format!("an instrumented program does not work: {}", reason(other)),
            remedy: "look at the limits below; a container or sandbox may set its own",
        }),
    }
}

/// How a program ended and the first thing it said.
fn reason(outcome: io::Result<Output>) -> String {
    match outcome {
        Err(error) => error.to_string(),
        Ok(output) => {
            let text = String::from_utf8_lossy(&output.stderr);
            match text.lines().next() {
                Some(line) => format!("{line} ({})", output.status),
                None => output.status.to_string(),
            }
        }
    }
}
