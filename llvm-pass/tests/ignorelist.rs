//! The ignore list's format, and its effect on a compilation.

#[expect(dead_code, reason = "the parser is tested without the pass around it")]
#[path = "../src/ignorelist.rs"]
mod ignorelist;

#[expect(
    dead_code,
    reason = "each test program uses its part of the common code"
)]
mod common;

use common::{Llvm, scratch, succeed};
use ignorelist::IgnoreList;

fn list(text: &str) -> IgnoreList {
    let mut list = IgnoreList::default();
    list.add("list", text).expect("a well-formed list");
    list
}

fn problem(text: &str) -> String {
    IgnoreList::default()
        .add("dir/list", text)
        .expect_err("a malformed list")
        .to_string()
}

#[test]
fn patterns_match() {
    let list = list(
        "# comment\n\nfun:exact\nfun:pre*\nfun:*mid*dle\nfun:a?c\nfun:[x-z]1\nfun:{p,q*}_end\nfun:esc\\*\n",
    );
    for name in [
        "exact", "pre", "prefix", "amidbdle", "abc", "y1", "p_end", "qrs_end", "esc*",
    ] {
        assert!(list.ignores_function(name), "{name}");
    }
    for name in ["exactly", "apre", "midl", "ac", "w1", "r_end", "escape", ""] {
        assert!(!list.ignores_function(name), "{name}");
    }
}

#[test]
fn only_our_sections_count() {
    let list =
        list("[address]\nfun:a\ntype:b\n[thread|memory]\nfun:c\n[racert]\nsrc:d/*=x\n[*]\nfun:e");
    assert!(!list.ignores_function("a"));
    assert!(list.ignores_function("c"));
    assert!(list.ignores_source("d/file.c") && list.ignores_source("./d/file.c"));
    assert!(list.ignores_function("e"));
}

#[test]
fn problems_are_located() {
    assert_eq!(
        problem("fun:a\nbroken\n"),
        "dir/list:2:1: expected 'kind:pattern', found 'broken'"
    );
    assert_eq!(
        problem("  fun:"),
        "dir/list:1:7: the pattern of 'fun:' is empty"
    );
    assert_eq!(
        problem("fun:a[b"),
        "dir/list:1:6: the '[' has no matching ']'"
    );
    assert_eq!(
        problem("[thread"),
        "dir/list:1:8: the section header lacks its ']'"
    );
    assert_eq!(
        problem("function:x"),
        "dir/list:1:1: unknown kind 'function', known are fun, src, mainfile and global"
    );
}

#[test]
fn many_stars_do_not_explode() {
    let list = list(&format!("fun:{}b", "a*".repeat(40)));
    assert!(!list.ignores_function(&"a".repeat(5000)));
}

#[test]
fn listed_code_is_left_alone() {
    let llvm = Llvm::default_version();
    let folder = scratch("ignorelist");
    let source = folder.join("source.c");
    std::fs::write(
        &source,
        "int g, h; int left(int *p) { return *p; } int seen(int *p) { return *p; }\n\
         int global(void) { return g; }\n",
    )
    .expect("the source is written");
    let list = folder.join("list.txt");
    std::fs::write(&list, "fun:left\nglobal:g\n").expect("the list is written");
    let compile = |option: bool| {
        let mut command = llvm.compiler("clang");
        command
            .args(["-O1", "-S", "-emit-llvm", "-o", "-"])
            .arg(&source);
        if option {
            command
                .arg("-mllvm")
                .arg(format!("-racert-ignorelist={}", list.display()));
        } else {
            command.env("RACERT_IGNORELIST", &list);
        }
        String::from_utf8(succeed(&mut command).stdout).expect("text")
    };
    for option in [false, true] {
        let ir = compile(option);
        let body = |name: &str| {
            let start = ir
                .find(&format!("@{name}("))
                .expect("the function is there");
            ir[start..].split("\n}").next().expect("a body").to_owned()
        };
        assert!(!body("left").contains("racert"), "{option}");
        assert!(!body("global").contains("racert"), "{option}");
        assert!(body("seen").contains("racert_read4"), "{option}");
    }
    std::fs::write(&list, "fun:left\nfun\n").expect("the list is written");
    let output = llvm
        .compiler("clang")
        .args(["-c", "-o", "/dev/null"])
        .arg(&source)
        .env("RACERT_IGNORELIST", &list)
        .output()
        .expect("clang runs");
    assert!(!output.status.success());
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    let expected = format!(
        "error: racert: {}:2:1: expected 'kind:pattern'",
        list.display()
    );
    assert!(message.contains(&expected), "{message}");
    assert_eq!(
        message.matches("racert:").count(),
        1,
        "said once: {message}"
    );
}
