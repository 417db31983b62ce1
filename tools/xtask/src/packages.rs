//! System packages: what is needed, what is missing, and installing it by name.
//!
//! Presence is probed by what the package brings (a program, a header), not by
//! the package database: a compiler installed some other way counts too.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::ValueEnum;

use crate::llvm::{Llvm, SUPPORTED};
use crate::paths;
use crate::process::{self, in_path, step};

/// How long package lists once read are taken as they are.
const LISTS_STAY_FRESH: Duration = Duration::from_secs(24 * 3600);

/// What the packages are for; each includes the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(crate) enum Purpose {
    /// Building and using racert.
    Demo,
    /// Running the tests.
    Test,
    /// Running the benchmarks, and the test suites of other detectors.
    Bench,
}

/// Which packages to install.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// What the machine shall be able to do
    #[arg(long = "for", value_enum, default_value_t = Purpose::Test)]
    purpose: Purpose,
    /// Print what is missing instead of installing it
    #[arg(long)]
    no_install: bool,
}

/// Installs, or with `--no-install` lists, what is missing.
pub(crate) fn main(args: &Args) -> Result<()> {
    let llvm = ensure(args.purpose, !args.no_install)?;
    step(&format!("all packages are there, LLVM {} is used", llvm.0));
    Ok(())
}

/// Makes sure that all packages for `purpose` are there and returns the LLVM
/// to use. Without `install`, missing packages are an error that names them.
pub(crate) fn ensure(purpose: Purpose, install: bool) -> Result<Llvm> {
    let llvm = choose_llvm(install)?;
    let missing = missing(purpose, llvm);
    if missing.is_empty() {
        return Ok(llvm);
    }
    let list = missing.join(" ");
    if !install {
        bail!(
            "missing packages: {list}\n\
             install them with: apt-get update && apt-get install --no-install-recommends {list}"
        );
    }
    if !has_apt() {
        bail!("missing: {list}\nthere is no apt-get here: install them by your system's means");
    }
    install_packages(&missing)?;
    let still = self::missing(purpose, llvm);
    if !still.is_empty() {
        bail!(
            "apt-get succeeded, but these are not usable: {}",
            still.join(" ")
        );
    }
    Ok(llvm)
}

/// The newest supported LLVM that is installed or can be. Without `install`
/// the package lists are taken as they are, and one that is installed is
/// preferred to a newer one that is not.
pub(crate) fn choose_llvm(install: bool) -> Result<Llvm> {
    let usable = |llvm: &Llvm| missing(Purpose::Demo, *llvm).is_empty();
    let first = |test: &dyn Fn(&Llvm) -> bool| SUPPORTED.into_iter().find(|llvm| test(llvm));
    if !has_apt() || !install {
        let installable = |llvm: &Llvm| has_apt() && available(*llvm);
        let found = first(&usable).or_else(|| first(&installable));
        return Ok(found.unwrap_or(SUPPORTED[0]));
    }
    let newest = SUPPORTED[0];
    if !usable(&newest) && !available(newest) {
        refresh_lists(first(&usable))?;
    }
    first(&|llvm| usable(llvm) || available(*llvm))
        .context("this system has no packages of LLVM 22, 19 or 18 (see https://apt.llvm.org)")
}

/// The packages for `purpose` that are not there yet.
pub(crate) fn missing(purpose: Purpose, llvm: Llvm) -> Vec<String> {
    let mut needs = compiler_needs(llvm);
    needs.push(Need::programs("g++", &["g++"]));
    if purpose >= Purpose::Test {
        needs.push(Need::programs(
            &format!("lld-{}", llvm.0),
            &[&format!("ld.lld-{}", llvm.0)],
        ));
        for (package, program) in [
            ("cmake", "cmake"),
            ("make", "make"),
            ("ninja-build", "ninja"),
            ("pkg-config", "pkg-config"),
            ("meson", "meson"),
            ("automake", "automake"),
            ("libtool", "libtoolize"),
        ] {
            needs.push(Need::programs(package, &[program]));
        }
        // Opens the pages of reports. Ubuntu has it in another form only.
        if browser().is_none() && is_available("chromium") {
            needs.push(Need::programs("chromium", &["chromium"]));
        }
        // Frameworks in whose tests findings show up.
        for (package, file) in [
            ("libgtest-dev", "/usr/include/gtest/gtest.h"),
            ("catch2", "/usr/include/catch2"),
            (
                "python3-pytest",
                "/usr/lib/python3/dist-packages/pytest/__init__.py",
            ),
        ] {
            needs.push(Need::file(package, file));
        }
        // Libraries that are rewritten, or that programs of the tests use.
        for (package, header) in [
            ("zlib1g-dev", "zlib.h"),
            ("libsqlite3-dev", "sqlite3.h"),
            ("libssl-dev", "openssl/ssl.h"),
            ("libxml2-dev", "libxml2/libxml/parser.h"),
            ("libjpeg-dev", "jpeglib.h"),
            ("libcurl4-openssl-dev", "x86_64-linux-gnu/curl/curl.h"),
            ("libglib2.0-dev", "glib-2.0/glib.h"),
            ("libglibmm-2.4-dev", "glibmm-2.4/glibmm.h"),
            ("libtbb-dev", "tbb/parallel_for.h"),
            ("qtbase5-dev", "x86_64-linux-gnu/qt5/QtCore"),
            ("libabsl-dev", "absl/synchronization/mutex.h"),
            ("libzmq3-dev", "zmq.h"),
            ("libgrpc++-dev", "grpcpp/grpcpp.h"),
            ("libgoogle-perftools-dev", "gperftools/tcmalloc.h"),
            // So do programs of the other detectors' test suites.
            ("libboost-thread-dev", "boost/thread.hpp"),
        ] {
            needs.push(Need::file(package, &format!("/usr/include/{header}")));
        }
        let version = llvm.0;
        needs.push(Need::file(
            &format!("libomp-{version}-dev"),
            &format!("/usr/lib/llvm-{version}/lib/clang/{version}/include/omp.h"),
        ));
        // The tests load the plugin into every supported clang there is.
        for other in SUPPORTED.into_iter().filter(|&other| other != llvm) {
            let absent = compiler_needs(other)
                .into_iter()
                .filter(|need| !need.present);
            needs.extend(absent.filter(|_| available(other)));
        }
    }
    if purpose >= Purpose::Bench {
        let version = llvm.0;
        let tsan = format!(
            "/usr/lib/llvm-{version}/lib/clang/{version}/lib/linux/libclang_rt.tsan-x86_64.a"
        );
        needs.push(Need {
            package: format!("libclang-rt-{version}-dev"),
            present: Path::new(&tsan).is_file(),
        });
        needs.push(Need::programs("valgrind", &["valgrind"]));
    }
    needs
        .into_iter()
        .filter(|need| !need.present)
        .map(|need| need.package)
        .collect()
}

/// A package and whether what it brings is there.
struct Need {
    package: String,
    present: bool,
}

impl Need {
    fn file(package: &str, path: &str) -> Self {
        Need {
            package: package.to_owned(),
            present: Path::new(path).exists(),
        }
    }

    fn programs(package: &str, names: &[&str]) -> Self {
        Need {
            package: package.to_owned(),
            present: names.iter().all(|name| in_path(name)),
        }
    }
}

fn compiler_needs(llvm: Llvm) -> Vec<Need> {
    let clang = format!("clang-{}", llvm.0);
    let clangxx = format!("clang++-{}", llvm.0);
    vec![
        Need::programs(&clang, &[&clang, &clangxx]),
        Need {
            package: format!("llvm-{}-dev", llvm.0),
            present: llvm.has_headers(),
        },
    ]
}

fn has_apt() -> bool {
    in_path("apt-get") && in_path("apt-cache")
}

/// Reads the package lists again unless this project did so within a day: a
/// machine's image often carries lists older than the newest LLVM, or none.
/// That may fail (no network, no right to) where an LLVM is `installed`.
fn refresh_lists(installed: Option<Llvm>) -> Result<()> {
    let stamp = paths::target().join("package-lists-read");
    let is_recent = fs::metadata(&stamp)
        .and_then(|stamp| stamp.modified())
        .is_ok_and(|read| read.elapsed().is_ok_and(|age| age < LISTS_STAY_FRESH));
    if is_recent {
        return Ok(());
    }
    step("reading the package lists");
    match (apt(&["update"]), installed) {
        (Err(error), Some(llvm)) => {
            println!("    {error}; LLVM {} is here and will do", llvm.0);
            return Ok(());
        }
        (result, _) => result?,
    }
    fs::create_dir_all(stamp.parent().expect("target is its parent"))?;
    fs::write(&stamp, "")?;
    Ok(())
}

/// Whether apt would install this LLVM (or already did): a package may be in
/// the lists and yet be kept away by the machine's preferences.
fn available(llvm: Llvm) -> bool {
    [format!("clang-{}", llvm.0), format!("llvm-{}-dev", llvm.0)]
        .iter()
        .all(|package| is_available(package))
}

/// Whether apt would install a package, or already did.
fn is_available(package: &str) -> bool {
    process::output(
        Command::new("apt-cache")
            .args(["policy", package])
            .env("LC_ALL", "C"),
    )
    .is_some_and(|text| has_candidate(&text))
}

/// The browser in which the tests open pages, if there is one.
pub(crate) fn browser() -> Option<&'static str> {
    let names = ["chromium", "chromium-browser", "google-chrome"];
    names
        .into_iter()
        .find(|name| process::output(Command::new(name).arg("--version")).is_some())
}

/// Whether what `apt-cache policy` says about a package names a version.
fn has_candidate(policy: &str) -> bool {
    policy
        .lines()
        .filter_map(|line| line.trim().strip_prefix("Candidate:"))
        .any(|version| version.trim() != "(none)")
}

fn install_packages(packages: &[String]) -> Result<()> {
    step(&format!(
        "installing system packages: {}",
        packages.join(" ")
    ));
    let mut arguments = vec!["install", "--yes", "--no-install-recommends"];
    arguments.extend(packages.iter().map(String::as_str));
    if apt(&arguments).is_ok() {
        return Ok(());
    }
    step("that failed; once more with fresh package lists");
    apt(&["update"])?;
    apt(&arguments)
}

/// Runs apt-get, through sudo for a user who is not root.
fn apt(arguments: &[&str]) -> Result<()> {
    // SAFETY: geteuid has no preconditions.
    let is_root = unsafe { libc::geteuid() } == 0;
    let mut command = if is_root {
        Command::new("env")
    } else if in_path("sudo") {
        let mut sudo = Command::new("sudo");
        if env::var_os("CI").is_some() {
            sudo.arg("--non-interactive");
        }
        sudo.arg("env");
        sudo
    } else {
        bail!(
            "installing needs root or sudo; as root: apt-get {}",
            arguments.join(" ")
        );
    };
    command
        .args(["DEBIAN_FRONTEND=noninteractive", "apt-get", "--quiet"])
        .args(arguments);
    println!("    {}", process::shown(&command));
    process::run(&mut command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_packages_are_named_as_apt_knows_them() {
        let absent = Llvm(7);
        let names = missing(Purpose::Demo, absent);
        assert!(names.contains(&"clang-7".to_owned()), "{names:?}");
        assert!(names.contains(&"llvm-7-dev".to_owned()), "{names:?}");
    }

    #[test]
    fn a_package_kept_away_has_no_candidate() {
        let version = "clang-22:\n  Installed: (none)\n  Candidate: 1:22.1.8-1\n";
        let pinned = "clang-22:\n  Installed: (none)\n  Candidate: (none)\n  Version table:\n     1:22.1.8-1 -1\n";
        assert!(has_candidate(version));
        assert!(!has_candidate(pinned));
        assert!(!has_candidate(""));
    }

    #[test]
    fn more_purposes_need_more() {
        let absent = Llvm(7);
        let demo = missing(Purpose::Demo, absent).len();
        let test = missing(Purpose::Test, absent).len();
        let bench = missing(Purpose::Bench, absent).len();
        assert!(demo < test && test < bench, "{demo} {test} {bench}");
    }
}
