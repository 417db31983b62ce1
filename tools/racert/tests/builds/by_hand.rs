//! Compiler calls as typed by hand.

use std::process::Stdio;

use crate::installed::{
    QUIET_C, RACY_C, RACY_CXX, assert_race, plain_clang, prefix, succeed, tool,
};
use crate::support::{Scratch, text};

#[test]
fn compiled_and_linked_in_one_call() {
    let scratch = Scratch::new();
    scratch.write("race.c", RACY_C);
    scratch.write("race.cpp", RACY_CXX);
    for level in ["-O0", "-O1", "-O2", "-O3", "-Os"] {
        succeed(
            scratch
                .command(tool("racert-clang"))
                .args(["-g", level, "race.c", "-o", "c"]),
        );
        assert_race(&scratch, "c", "race.c");
        let mut call = scratch.command(tool("racert-clang++"));
        succeed(call.args(["-g", level, "race.cpp", "-o", "cpp"]));
        assert_race(&scratch, "cpp", "race.cpp");
    }
}

#[test]
fn compiled_and_linked_apart_without_a_word() {
    let scratch = Scratch::new();
    scratch.write("race.c", RACY_C);
    let strict = ["-Wall", "-Wextra", "-Werror"];
    let compile = ["-g", "-O1", "-c", "race.c"];
    let said = succeed(
        scratch
            .command(tool("racert"))
            .arg("cc")
            .args(strict)
            .args(compile),
    );
    assert_eq!(said, "");
    let link = ["race.o", "-o", "race"];
    let said = succeed(
        scratch
            .command(tool("racert"))
            .arg("cc")
            .args(strict)
            .args(link),
    );
    assert_eq!(said, "");
    assert_race(&scratch, "race", "race.c");
}

#[test]
fn without_debug_options_the_line_is_still_known() {
    let scratch = Scratch::new();
    scratch.write("race.c", RACY_C);
    succeed(
        scratch
            .command(tool("racert-clang"))
            .args(["-O1", "race.c", "-o", "race"]),
    );
    assert_race(&scratch, "race", "race.c:");
}

#[test]
fn with_lld_and_thin_lto() {
    let scratch = Scratch::new();
    scratch.write("race.c", RACY_C);
    for options in [
        &["-fuse-ld=lld"][..],
        &["-fuse-ld=lld", "-flto=thin"],
        &["-no-pie"],
    ] {
        let mut call = scratch.command(tool("racert-clang"));
        succeed(
            call.args(["-g", "-O2", "race.c", "-o", "race"])
                .args(options),
        );
        assert_race(&scratch, "race", "race.c");
    }
}

#[test]
fn from_standard_input_and_from_a_response_file() {
    let scratch = Scratch::new();
    let source = scratch.write("race.c", RACY_C);
    let mut call = scratch.command(tool("racert-clang"));
    call.args(["-g", "-x", "c", "-", "-o", "stdin"]);
    succeed(call.stdin(Stdio::from(std::fs::File::open(source).unwrap())));
    assert_race(&scratch, "stdin", "");

    scratch.write("list", "-g -O1 'race.c' -o \"listed\"");
    succeed(scratch.command(tool("racert-clang")).arg("@list"));
    assert_race(&scratch, "listed", "race.c");
}

#[test]
fn with_every_plugin_that_is_staged() {
    let scratch = Scratch::new();
    scratch.write("race.c", RACY_C);
    for version in [22, 19, 18] {
        if !prefix()
            .join(format!("lib/libracert_pass-{version}.so"))
            .is_file()
        {
            continue;
        }
        let mut call = scratch.command(tool("racert-clang"));
        call.env("RACERT_CC", format!("clang-{version}"));
        succeed(call.args(["-g", "-O1", "race.c", "-o", "race"]));
        assert_race(&scratch, "race", "race.c");
    }
}

#[test]
fn with_plain_clang_and_the_flags() {
    let scratch = Scratch::new();
    scratch.write("race.c", RACY_C);
    let racert = tool("racert");
    let line = format!(
        "{clang} -g -O1 $({racert} flags --cflags) -c race.c && \
         {clang} race.o $({racert} flags --ldflags) -o race",
        clang = plain_clang("clang"),
        racert = racert.display(),
    );
    succeed(scratch.command("sh").args(["-c", &line]));
    assert_race(&scratch, "race", "race.c");
}

#[test]
fn with_plain_clang_and_pkg_config() {
    let scratch = Scratch::new();
    scratch.write("race.c", RACY_C);
    let line = format!(
        "{} -g -O1 race.c $(pkg-config --cflags --libs racert) -o race",
        plain_clang("clang")
    );
    let mut shell = scratch.command("sh");
    shell.env("PKG_CONFIG_PATH", prefix().join("lib/pkgconfig"));
    succeed(shell.args(["-c", &line]));
    assert_race(&scratch, "race", "race.c");
}

#[test]
fn functions_that_ask_for_it_are_left_alone() {
    let scratch = Scratch::new();
    scratch.write("quiet.c", QUIET_C);
    for options in [
        &["-O0"][..],
        &["-O2"],
        &["-O2", "-flto=thin", "-fuse-ld=lld"],
    ] {
        let mut call = scratch.command(tool("racert-clang"));
        succeed(
            call.args(["-Werror", "-g", "quiet.c", "-o", "quiet"])
                .args(options),
        );
        let said = succeed(&mut scratch.command(scratch.path().join("quiet")));
        assert_eq!(said, "", "{options:?}");
    }
    let line = format!(
        "{} -g -O1 quiet.c $(pkg-config --cflags --libs racert) -o quiet && ./quiet",
        plain_clang("clang")
    );
    let mut shell = scratch.command("sh");
    shell.env("PKG_CONFIG_PATH", prefix().join("lib/pkgconfig"));
    assert_eq!(succeed(shell.args(["-c", &line])), "");
}

#[test]
fn assembly_next_to_an_option_of_the_instrumentation() {
    let scratch = Scratch::new();
    scratch.write(
        "main.c",
        "int seven(void); int main(void) { return seven() - 7; }",
    );
    scratch.write(
        "seven.s",
        ".globl seven\nseven: movl $7, %eax\n ret\n.section .note.GNU-stack,\"\",@progbits\n",
    );
    let mut call = scratch.command(tool("racert-clang"));
    succeed(call.args(["main.c", "seven.s", "-o", "app", "-Xracert", "--stats"]));
    succeed(&mut scratch.command(scratch.path().join("app")));
}

#[test]
fn preprocessing_knows_that_it_is_racert() {
    let scratch = Scratch::new();
    scratch.write(
        "a.c",
        "#include <racert/annotations.h>\nint under = __RACERT__;\n",
    );
    let said = succeed(scratch.command(tool("racert-clang")).args(["-E", "a.c"]));
    assert!(
        said.contains("int under = 1;") && said.contains("AnnotateHappensBefore"),
        "{said}"
    );
}

#[test]
fn errors_of_the_compiler_come_through() {
    let scratch = Scratch::new();
    scratch.write("bad.c", "int main(void) { return }");
    let output = scratch
        .command(tool("racert-clang"))
        .args(["-c", "bad.c"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", text(&output));
    assert!(text(&output).contains("bad.c:1"), "{}", text(&output));
}

/// Defines one of the functions itself, so that the call can be seen, and uses
/// all macros, whether or not the runtime has their functions.
const ANNOTATED: &str = r#"
#include <racert/annotations.h>
#include <stdio.h>
static int object;
#ifdef __RACERT__
void AnnotateHappensBefore(const char *file, int line, const volatile void *address) {
    printf("%s:%d %d\n", file, line, address == &object);
}
#endif
int main(void) {
#line 100
    ANNOTATE_HAPPENS_BEFORE(&object);
    ANNOTATE_HAPPENS_AFTER(&object);
    ANNOTATE_BENIGN_RACE(&object, "an example");
    ANNOTATE_IGNORE_READS_AND_WRITES_BEGIN();
    ANNOTATE_IGNORE_READS_AND_WRITES_END();
    ANNOTATE_IGNORE_SYNC_BEGIN();
    ANNOTATE_IGNORE_SYNC_END();
    ANNOTATE_RWLOCK_CREATE(&object);
    ANNOTATE_RWLOCK_ACQUIRED(&object, 1);
    ANNOTATE_RWLOCK_RELEASED(&object, 1);
    ANNOTATE_RWLOCK_DESTROY(&object);
    ANNOTATE_RWLOCK_CREATE_STATIC(&object);
    ANNOTATE_NEW_MEMORY(&object, sizeof(object));
    ANNOTATE_THREAD_NAME("main");
    return object;
}
"#;

#[test]
fn annotations_call_the_runtime_and_vanish_without_racert() {
    let scratch = Scratch::new();
    scratch.write("a.c", ANNOTATED);
    let strict = ["-Wall", "-Wextra", "-Werror", "-pedantic"];
    for standard in ["-std=c89", "-std=c11", "-std=c2x"] {
        let mut call = scratch.command(tool("racert-clang"));
        succeed(call.args(strict).args([standard, "a.c", "-o", "under"]));
        let said = succeed(&mut scratch.command(scratch.path().join("under")));
        assert_eq!(said, "a.c:100 1\n");
        let mut call = scratch.command("cc");
        call.arg("-I").arg(prefix().join("include")).args(strict);
        succeed(call.args([standard, "a.c", "-o", "without"]));
        assert_eq!(
            succeed(&mut scratch.command(scratch.path().join("without"))),
            ""
        );
    }
    for standard in ["-std=c++98", "-std=c++23"] {
        let mut call = scratch.command(tool("racert-clang++"));
        call.args(strict)
            .args(["-Wold-style-cast", "-Wno-deprecated", standard]);
        succeed(call.args(["-x", "c++", "-c", "a.c", "-o", "a.o"]));
    }
}
