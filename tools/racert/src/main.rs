//! The `racert` command.
//!
//! One executable under several names: as `racert` it has subcommands, as
//! `racert-clang` and `racert-clang++` it is a compiler.

mod cargo;
mod cli;
mod compare;
mod ctl;
mod doctor;
mod error;
mod flags;
mod generate;
mod layout;
mod report;
mod rewrite;
mod run;
mod self_test;
mod wrap;

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::ExitCode;

use clap::Parser;

use cli::{Cli, Command};
use error::Result;
use wrap::clang::Driver;

fn main() -> ExitCode {
    match dispatch(std::env::args_os().collect()) {
        Ok(code) => code,
        Err(error) => {
            error.print();
            ExitCode::from(error.code())
        }
    }
}

fn dispatch(args: Vec<OsString>) -> Result<ExitCode> {
    if let Some((driver, skip)) = compiler_call(&args) {
        let never = wrap::command::exec(driver, args[skip..].to_vec())?;
        match never {}
    }
    if let Some(never) = cargo::wrap_rustc(&args) {
        match never? {}
    }
    match Cli::parse_from(args).command {
        Command::Cc(wrap) => match wrap::command::exec(Driver::C, wrap.args)? {},
        Command::Cxx(wrap) => match wrap::command::exec(Driver::Cxx, wrap.args)? {},
        Command::Cargo(args) => match cargo::exec(args)? {},
        Command::Run(run) if run.mode == Some("all") => compare::run(&run),
        Command::Run(run) => run::exec(run.with_mode()),
        Command::Ctl(args) => ctl::run(&args),
        Command::Report(args) => report::run(&args),
        Command::Suppress(args) => report::suppress(&args),
        Command::Twin(args) => {
            rewrite::twin(&args.name, args.caller.as_deref()).map(|()| ExitCode::SUCCESS)
        }
        Command::Rewrite(args) => rewrite::exec(&args).map(|()| ExitCode::SUCCESS),
        Command::Flags(args) => flags::print(&args).map(|()| ExitCode::SUCCESS),
        Command::Doctor => Ok(doctor::report()),
        Command::SelfTest => self_test::run(),
        Command::Completions(args) => {
            generate::completions(args.shell);
            Ok(ExitCode::SUCCESS)
        }
        Command::Man(args) => generate::man_pages(&args.folder).map(|()| ExitCode::SUCCESS),
    }
}

/// Whether this is a compiler call, and where its arguments begin. `racert cc`
/// is decided here so that options such as `--help` and `--version` reach
/// clang, as a build system that uses it as `CC` expects.
fn compiler_call(args: &[OsString]) -> Option<(Driver, usize)> {
    let name = args
        .first()
        .map(Path::new)
        .and_then(Path::file_name)
        .and_then(OsStr::to_str)?;
    if let Some(driver) = Driver::from_program_name(name) {
        return Some((driver, 1));
    }
    match args.get(1)?.to_str()? {
        "cc" => Some((Driver::C, 2)),
        "c++" => Some((Driver::Cxx, 2)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(words: &[&str]) -> Option<(Driver, usize)> {
        compiler_call(&words.iter().map(OsString::from).collect::<Vec<_>>())
    }

    #[test]
    fn the_name_or_the_first_word_makes_it_a_compiler() {
        assert_eq!(call(&["/opt/bin/racert-clang", "-c"]), Some((Driver::C, 1)));
        assert_eq!(call(&["racert-clang++"]), Some((Driver::Cxx, 1)));
        assert_eq!(call(&["racert", "cc", "--version"]), Some((Driver::C, 2)));
        assert_eq!(call(&["racert", "c++", "a.cc"]), Some((Driver::Cxx, 2)));
        assert_eq!(call(&["racert", "run", "--", "cc"]), None);
        assert_eq!(call(&["racert"]), None);
    }
}
