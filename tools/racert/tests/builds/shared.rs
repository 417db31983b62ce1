//! Shared libraries, linked and loaded later, use the runtime in the program.

use std::process::Command;

use crate::installed::{assert_race, prefix, succeed, tool};
use crate::support::Scratch;

const LIBRARY: &str = "
static int shared;
void bump(void) { shared++; }
";

const LINKED: &str = "
#include <pthread.h>
void bump(void);
static void *twice(void *unused) { (void)unused; bump(); bump(); return 0; }
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, twice, 0);
    pthread_create(&b, 0, twice, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
";

/// Loads the library by hand. Threads are made by this file, whose accesses
/// need not be instrumented at all.
const LOADED: &str = "
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
static void (*bump)(void);
static void *twice(void *unused) { (void)unused; bump(); bump(); return 0; }
int main(void) {
    pthread_t a, b;
    void *library = dlopen(\"./libbump.so\", RTLD_NOW);
    if (!library) { puts(dlerror()); return 1; }
    bump = (void (*)(void))dlsym(library, \"bump\");
    pthread_create(&a, 0, twice, 0);
    pthread_create(&b, 0, twice, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
";

/// The option for each linker of this machine.
fn linkers() -> impl Iterator<Item = String> {
    let installed = |name: &&str| {
        let answer = Command::new(format!("ld.{name}")).arg("--version").output();
        // Debian's lld has a version in its name; clang knows where it is.
        answer.is_ok() || *name == "lld"
    };
    let names = ["bfd", "gold", "lld", "mold"].into_iter();
    names
        .filter(installed)
        .map(|name| format!("-fuse-ld={name}"))
}

fn library(scratch: &Scratch, options: &[&str]) {
    scratch.write("bump.c", LIBRARY);
    let mut call = scratch.command(tool("racert-clang"));
    call.args([
        "-g",
        "-O1",
        "-shared",
        "-fPIC",
        "bump.c",
        "-o",
        "libbump.so",
    ]);
    succeed(call.args(options));
}

#[test]
fn linked_with_a_library_that_leaves_nothing_undefined() {
    let scratch = Scratch::new();
    scratch.write("main.c", LINKED);
    for (linker, strict) in linkers().zip(["-Wl,-z,defs", "-Wl,--no-undefined"].iter().cycle()) {
        library(&scratch, &[&linker, strict]);
        let mut call = scratch.command(tool("racert-clang"));
        call.arg(&linker).args([
            "-g",
            "-O1",
            "main.c",
            "-L.",
            "-lbump",
            "-Wl,-rpath,$ORIGIN",
            "-o",
            "app",
        ]);
        succeed(&mut call);
        assert_race(&scratch, "app", "bump.c");
    }
}

#[test]
fn loaded_later() {
    let scratch = Scratch::new();
    library(&scratch, &[]);
    scratch.write("main.c", LOADED);
    for linker in linkers() {
        let mut call = scratch.command(tool("racert-clang"));
        call.args(["-g", "-O1", "main.c", "-o", "app", &linker]);
        succeed(&mut call);
        assert_race(&scratch, "app", "bump.c");
    }
}

#[test]
fn only_the_library_is_instrumented() {
    let scratch = Scratch::new();
    library(&scratch, &[]);
    scratch.write("main.c", LOADED);
    succeed(scratch.command("cc").args(["-c", "main.c"]));
    succeed(
        scratch
            .command(tool("racert-clang"))
            .args(["main.o", "-o", "app"]),
    );
    assert_race(&scratch, "app", "bump.c");
}

#[test]
fn a_program_linked_without_racert_gets_the_runtime_preloaded() {
    let scratch = Scratch::new();
    library(&scratch, &[]);
    scratch.write("main.c", LOADED);
    succeed(
        scratch
            .command("cc")
            .args(["main.c", "-o", "plain", "-ldl", "-pthread"]),
    );
    let racert = prefix().join("bin/racert");
    let line = format!(
        "#!/bin/sh\nexec {} run --preload -- ./plain\n",
        racert.display()
    );
    scratch.write("app", &line);
    succeed(scratch.command("chmod").args(["+x", "app"]));
    assert_race(&scratch, "app", "bump.c");
}
