//! As `CC` and `CXX` of a Makefile and of a configure script.

use crate::installed::{RACY_C, RACY_CXX, assert_race, prefix, succeed, tool};
use crate::support::Scratch;

#[test]
fn make_with_its_own_rules() {
    let scratch = Scratch::new();
    scratch.write("race.c", RACY_C);
    scratch.write("bank.cpp", RACY_CXX);
    scratch.write(
        "Makefile",
        "all: race bank\nrace: race.o\nbank: bank.o\n\t$(CXX) $^ -o $@\n",
    );
    let mut make = scratch.command("make");
    make.arg(format!("CC={}", tool("racert-clang").display()));
    make.arg(format!("CXX={}", tool("racert-clang++").display()));
    succeed(make.args(["CFLAGS=-g -O1", "CXXFLAGS=-g -O1"]));
    assert_race(&scratch, "race", "race.c");
    assert_race(&scratch, "bank", "bank.cpp");
}

/// The questions autoconf and libtool ask a compiler, asked the way they do.
const CONFIGURE: &str = r#"#!/bin/sh
set -e
say() { echo "checking $1"; }
say "that the compiler makes executables"
echo 'int main(void) { return 0; }' > conftest.c
$CC -o conftest conftest.c
./conftest
say "its version"
$CC --version > version
grep -q clang version
$CC -v 2> /dev/null
if $CC -V < /dev/null > /dev/null 2>&1; then echo "-V is accepted"; exit 1; fi
say "that unknown flags are refused"
if $CC -Werror -fno-such-flag -c conftest.c 2> /dev/null; then echo "accepted"; exit 1; fi
say "for unused arguments"
$CC -Werror -c conftest.c 2> messages
$CC -Werror -o conftest conftest.o 2>> messages
test ! -s messages
say "for the preprocessor"
$CC -E conftest.c > /dev/null
$CC -E - < conftest.c > /dev/null
say "for a function"
echo 'char cos(); int main(void) { return cos(); }' > conftest.c
$CC -w -o conftest conftest.c -lm
echo 'char no_such_function(); int main(void) { return no_such_function(); }' > conftest.c
if $CC -w -o conftest conftest.c 2> /dev/null; then echo "found"; exit 1; fi
say "the linker"
test -n "$($CC -print-prog-name=ld)"
$CC -Wl,--version > /dev/null
say "dependencies"
echo 'int f(void);' > conftest.h
echo '#include "conftest.h"' > conftest.c
$CC -MM conftest.c | grep -q conftest.h
$CC -MD -MF conftest.d -MT target -c conftest.c
grep -q target: conftest.d
say "for shared libraries"
$CC -fPIC -shared -Wl,-soname,libconf.so.1 -o libconf.so conftest.o
say "for relocatable objects"
$CC -nostdlib -r -o conftest2.o conftest.o
"#;

#[test]
fn a_configure_script_gets_its_answers() {
    for compiler in ["racert-clang", "racert cc"] {
        let scratch = Scratch::new();
        scratch.write("configure", CONFIGURE);
        let compiler = prefix().join("bin").join(compiler);
        succeed(scratch.command("sh").arg("configure").env("CC", compiler));
    }
}
