//! `cargo xtask`: builds, tests, installs and shows racert.

mod bench;
mod build;
mod demo;
mod dist;
mod docs;
mod doctor;
mod fresh_root;
mod install;
mod llvm;
mod modes;
mod packages;
mod paths;
mod process;
mod runtime;
mod source_package;
mod stage;
mod suites;
mod symbols;
mod test;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Build, test and set-up automation of racert.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Install what is missing, build, and show a race in an example
    Demo(demo::Args),
    /// Run all checks and tests
    Test(test::Args),
    /// Build everything and stage the install tree in target/racert
    Build,
    /// Compare with native runs, ThreadSanitizer, Helgrind and DRD
    Bench(bench::Args),
    /// Build programs from Debian source packages with racert and run them
    Real(bench::check_real::Args),
    /// Run the test suites of ThreadSanitizer, Helgrind and DRD, judged by outcome
    Suites(suites::Args),
    /// Put the classified corpus to every mode and every other detector
    Modes,
    /// Build and copy the install tree
    Install(install::Args),
    /// Pack a tarball and a .deb that work without Rust
    Dist(dist::Args),
    /// Write the pages of the book that are made from the code
    Docs(docs::Args),
    /// Say what on this machine would stop racert
    Doctor,
    /// Install the system packages that building, testing or benchmarking needs
    Setup(packages::Args),
    /// Try the set-up on a fresh Debian or Ubuntu in a folder (needs root and mmdebstrap)
    FreshRoot(fresh_root::Args),
}

fn main() -> ExitCode {
    let result = match Cli::parse().task {
        Task::Demo(args) => demo::main(&args),
        Task::Test(args) => test::main(&args),
        Task::Build => build::main(),
        Task::Bench(args) => bench::main(args),
        Task::Real(args) => bench::check_real::main(&args),
        Task::Suites(args) => suites::main(&args),
        Task::Modes => modes::main(),
        Task::Install(args) => install::main(&args),
        Task::Dist(args) => dist::main(&args),
        Task::Docs(args) => docs::main(&args),
        Task::Doctor => doctor::main(),
        Task::Setup(args) => packages::main(&args),
        Task::FreshRoot(args) => fresh_root::main(&args),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
