//! Builds the C++ shim against the headers of the chosen LLVM.
//!
//! `llvm-config` is looked for in `LLVM_SYS_<version>_PREFIX/bin` first and on
//! the path as `llvm-config-<major>` and `llvm-config` then. No LLVM library
//! is linked: the process that loads the plugin provides it.

use std::path::PathBuf;
use std::process::Command;

/// What can be built for, and the variable that says where it is.
const VERSIONS: [(&str, &str); 3] = [
    ("22", "LLVM_SYS_221_PREFIX"),
    ("19", "LLVM_SYS_191_PREFIX"),
    ("18", "LLVM_SYS_181_PREFIX"),
];

fn main() {
    let chosen: Vec<_> = VERSIONS
        .into_iter()
        .filter(|(major, _)| std::env::var_os(format!("CARGO_FEATURE_LLVM{major}")).is_some())
        .collect();
    let (major, prefix_variable) = match chosen.as_slice() {
        [one] => *one,
        [] => fail("choose one of the features `llvm22`, `llvm19` and `llvm18`"),
        _ => fail("the features `llvm...` exclude each other; use --no-default-features"),
    };
    println!("cargo::rerun-if-env-changed={prefix_variable}");
    println!("cargo::rerun-if-changed=shim");

    let mut candidates = Vec::new();
    if let Some(prefix) = std::env::var_os(prefix_variable) {
        candidates.push(PathBuf::from(prefix).join("bin/llvm-config"));
    }
    candidates.push(PathBuf::from(format!("llvm-config-{major}")));
    candidates.push(PathBuf::from("llvm-config"));
    let include = candidates
        .iter()
        .find_map(|config| {
            let version = run(config, "--version")?;
            version.starts_with(&format!("{major}.")).then(|| run(config, "--includedir"))?
        })
        .unwrap_or_else(|| {
            fail(&format!(
                "no llvm-config of LLVM {major} found; install llvm-{major}-dev or set {prefix_variable}"
            ))
        });

    cc::Build::new()
        .cpp(true)
        .files([
            "shim/plugin.cpp",
            "shim/inspect.cpp",
            "shim/analyses.cpp",
            "shim/element_copies.cpp",
            "shim/loops.cpp",
            "shim/processor.cpp",
            "shim/sync_loops.cpp",
        ])
        .std("c++17")
        .flag("-isystem")
        .flag(&include)
        .flag("-fno-rtti")
        .flag("-fno-exceptions")
        .flag("-fvisibility=hidden")
        .define("RACERT_LLVM_MAJOR", major)
        .define("__STDC_CONSTANT_MACROS", None)
        .define("__STDC_FORMAT_MACROS", None)
        .define("__STDC_LIMIT_MACROS", None)
        .opt_level(2)
        .compile("racert_shim");
    // Lazy binding: loaded into another LLVM than it was built for, the
    // plugin gets as far as the check that says so.
    println!("cargo::rustc-link-arg-cdylib=-Wl,-z,lazy");
}

fn run(program: &PathBuf, argument: &str) -> Option<String> {
    let output = Command::new(program).arg(argument).output().ok()?;
    output
        .status
        .success()
        .then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

fn fail(message: &str) -> ! {
    println!("cargo::error=racert-pass: {message}");
    std::process::exit(1)
}
