//! The command line, written so that its help teaches.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::compare;
use crate::report::Format;
use crate::rewrite::Wanted;

const AFTER_HELP: &str = "\
Examples:
  racert-clang -g -O1 app.c -o app      compile and link with checks
  racert run -- ./app                   run it; exit code 66 if a race was found
  CC=racert-clang ./configure && make   build a whole project
  cmake -DCMAKE_C_COMPILER=racert-clang -DCMAKE_CXX_COMPILER=racert-clang++ ..
  racert doctor                         what on this machine would be in the way

RACERT_OPTIONS=help=1 in front of an instrumented program lists its options.";

const RUN_HELP: &str = "\
Examples:
  racert run -- ./app --port 80
  racert run -o log_path=race.log -o exitcode=1 -- ./app
  racert run --mode all -- ./app        what each algorithm reports, in a table
  racert run --libs auto -- ./built_without_racert
  racert run --preload -- python3 uses_an_instrumented_extension.py";

const CTL_HELP: &str = "\
Examples:
  racert run -- ./app &                 when it hangs:
  racert ctl $(pidof app) dump
A program that was not started by `racert run` has to be told to listen:
  RACERT_OPTIONS=dump_signal=SIGUSR1 ./app";

const CARGO_HELP: &str = "\
Examples:
  racert cargo test                     all tests of the project, checked
  racert cargo run --release -- --port 80
  racert cargo -o json=races/ test --workspace

Works on stable Rust whose LLVM a plugin is installed for, and needs clang of
the same version. The standard library is compiled with checks the first time.
Code can ask with cfg(racert) whether it is being checked.
Environment:
  RACERT_CACHE                          where the checked standard library is kept";

const REPORT_HELP: &str = "\
Examples:
  racert run -o json=races/ -- ./app    write records, then
  racert report races/                  each finding once
  racert report races/ --format html -o races.html
  racert report races/ --format json -o baseline.json
  racert report races/ --baseline baseline.json
  racert report races/ --symbols build/ names for records of stripped programs
  racert report shard-*/ --format sarif -o races.sarif
Exit code: 66 if --baseline is given and there are new findings, 2 if a file is
damaged (the rest of it is used), otherwise 0.";
const SUPPRESS_HELP: &str = "\
Examples:
  racert run -o json=races/ -- ./app    write records, then
  racert suppress races/ >> known.supp  an entry for each finding
  racert suppress races/ --fingerprint 3f2a
  racert run -o suppressions=known.supp -- ./app";

const REWRITE_HELP: &str = "\
Examples:
  racert rewrite /usr/lib/x86_64-linux-gnu/libz.so.1 -o out/libz.so.1
  LD_LIBRARY_PATH=out racert run --preload -- ./app
  racert rewrite libfoo.so -o out/libfoo.so --exclude 'crc32*' --report coverage.json

libc, ld.so and libpthread are not for rewriting: the runtime intercepts them.";

const FLAGS_HELP: &str = "\
Examples:
  clang-22 -g $(racert flags --cflags) -c app.c
  clang-22 app.o $(racert flags --ldflags) -o app";

const COMPLETIONS_HELP: &str = "\
Examples:
  racert completions bash > ~/.local/share/bash-completion/completions/racert
  racert completions fish > ~/.config/fish/completions/racert.fish";

const WRAP_HELP: &str = "\
Everything goes to clang, except:
  -Xracert --NAME[=VALUE]   option of the instrumentation, e.g. --ignorelist=FILE, --stats
Environment:
  RACERT_CC, RACERT_CXX     the compiler to use instead of clang-22, clang-19, clang-18, clang
  RACERT_HOME               the install tree, if not the one this command is in";

/// Finds data races and deadlocks in C, C++ and Rust programs.
#[derive(Debug, Parser)]
#[command(name = "racert", version, after_help = AFTER_HELP, arg_required_else_help = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Compile or link C with checks (the same as `racert-clang`)
    #[command(after_help = WRAP_HELP)]
    Cc(WrapArgs),
    /// Compile or link C++ with checks (the same as `racert-clang++`)
    #[command(name = "c++", after_help = WRAP_HELP)]
    Cxx(WrapArgs),
    /// Run an instrumented program with options
    #[command(after_help = RUN_HELP)]
    Run(RunArgs),
    /// Ask a running program, for instance what its threads are doing
    #[command(after_help = CTL_HELP)]
    Ctl(CtlArgs),
    /// Build, run or test a Cargo project with checks
    #[command(after_help = CARGO_HELP)]
    Cargo(CargoArgs),
    /// Turn records of findings (json=PATH) into a report
    #[command(after_help = REPORT_HELP)]
    Report(ReportArgs),
    /// Propose entries of a suppressions file for recorded findings
    #[command(after_help = SUPPRESS_HELP)]
    Suppress(SuppressArgs),
    /// Put checks into an x86-64 library or program that comes without source
    #[command(after_help = REWRITE_HELP)]
    Rewrite(RewriteArgs),
    /// Name the rewritten twin of a library that a running program opens
    #[command(hide = true)]
    Twin(TwinArgs),
    /// Print the flags for a build that calls clang itself
    #[command(after_help = FLAGS_HELP)]
    Flags(FlagsArgs),
    /// Say what on this machine would stop racert, and how to mend it
    Doctor,
    /// Compile and run a small race with every clang a plugin is installed for
    SelfTest,
    /// Print what completes this command's words in a shell
    #[command(after_help = COMPLETIONS_HELP)]
    Completions(CompletionsArgs),
    /// Write the manual pages into a folder
    #[command(hide = true)]
    Man(ManArgs),
}

#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// Where the pages go
    pub(crate) folder: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct WrapArgs {
    /// Arguments for clang
    #[arg(
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "ARG"
    )]
    pub(crate) args: Vec<OsString>,
}

#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// Option for the runtime, added to those of RACERT_OPTIONS
    #[arg(short, long = "option", value_name = "KEY=VALUE", value_parser = key_value)]
    pub(crate) options: Vec<String>,
    /// How races are detected, or `all`: run the program once in each mode,
    /// without its output, and compare what they report
    #[arg(long, value_name = "MODE", value_parser = mode)]
    pub(crate) mode: Option<&'static str>,
    /// Load the runtime into a program that was not linked with it
    #[arg(long)]
    pub(crate) preload: bool,
    /// Put checks into the libraries the program loads: `auto`, `all` or names
    #[arg(long, value_name = "auto|all|NAME,...", value_parser = Wanted::parse)]
    pub(crate) libs: Option<Wanted>,
    /// With --libs: leave the program itself as it is. Otherwise one without
    /// the runtime is run as a copy with checks, because its atomic
    /// instructions order what libraries do
    #[arg(long, requires = "libs")]
    pub(crate) libs_only: bool,
    /// Trust the inside of these libraries: report what they do to the memory
    /// of their callers only
    #[arg(long, value_name = "all|NAME,...", requires = "libs", value_parser = names)]
    pub(crate) libs_borders: Option<String>,
    /// Show a line with the state of the program while it runs, and a summary;
    /// auto: on a terminal, unless CI is set
    #[arg(long, value_enum, default_value = "auto")]
    pub(crate) status: When,
    /// The program and its arguments
    #[arg(required = true, last = true, value_name = "PROGRAM")]
    pub(crate) program: Vec<OsString>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum When {
    Auto,
    Always,
    Never,
}

#[derive(Debug, Args)]
pub(crate) struct CtlArgs {
    /// Id of the process
    #[arg(value_parser = clap::value_parser!(i32).range(1..))]
    pub(crate) pid: i32,
    #[command(subcommand)]
    pub(crate) command: CtlCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum CtlCommand {
    /// Print all live threads with their stacks, the locks they hold and what
    /// they wait for
    Dump {
        /// Give up after so many seconds
        #[arg(long, value_name = "SECONDS", default_value = "10")]
        timeout: u64,
    },
}

#[derive(Debug, Args)]
pub(crate) struct CargoArgs {
    /// Option for the runtime, added to those of RACERT_OPTIONS
    #[arg(short, long = "option", value_name = "KEY=VALUE", value_parser = key_value)]
    pub(crate) options: Vec<String>,
    /// Arguments for cargo: test, run --release, ...
    #[arg(
        required = true,
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "ARG"
    )]
    pub(crate) args: Vec<OsString>,
}

#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// Files of records, directories with such files in or below them, - for standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// How to write the findings
    #[arg(short, long, value_enum, default_value = "text")]
    pub(crate) format: Format,
    /// Show only findings that are not in this file
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,
    /// Show also what is known and what is gone since the baseline
    #[arg(long, requires = "baseline")]
    pub(crate) diff: bool,
    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Unstripped file, or directory of such files or of debug files by build
    /// id, that has names for what the records leave as module and offset
    #[arg(long, value_name = "FILE|DIR")]
    pub(crate) symbols: Vec<PathBuf>,
    /// Top of the source tree: file names below it become relative [default: .]
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct SuppressArgs {
    /// Files of records, directories of such files, - for standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Only findings whose fingerprint begins so
    #[arg(long, value_name = "HEX")]
    pub(crate) fingerprint: Option<String>,
    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// As for `racert report`
    #[arg(long, value_name = "FILE|DIR")]
    pub(crate) symbols: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct TwinArgs {
    /// What the program asked for
    pub(crate) name: OsString,
    /// The module that asked, if it says where libraries are searched for
    pub(crate) caller: Option<OsString>,
}

#[derive(Debug, Args)]
pub(crate) struct RewriteArgs {
    /// The shared library or position-independent program
    #[arg(value_name = "FILE")]
    pub(crate) input: PathBuf,
    /// Where the rewritten file goes
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// Write what was covered and what was not to a JSON file
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,
    /// Rewrite only functions whose symbol matches
    #[arg(long, value_name = "GLOB")]
    pub(crate) only: Vec<String>,
    /// Leave functions alone whose symbol matches
    #[arg(long, value_name = "GLOB")]
    pub(crate) exclude: Vec<String>,
    /// Turn original code that must not run any more into traps
    #[arg(long)]
    pub(crate) poison: bool,
    /// Print no summary
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Args)]
pub(crate) struct FlagsArgs {
    /// Flags for compiling
    #[arg(long, required_unless_present = "ldflags")]
    pub(crate) cflags: bool,
    /// Flags for linking an executable (a shared library needs none)
    #[arg(long)]
    pub(crate) ldflags: bool,
    /// For clang++ instead of clang
    #[arg(long = "c++")]
    pub(crate) cxx: bool,
}

impl RunArgs {
    /// The same with the mode as an option of the runtime.
    pub(crate) fn with_mode(mut self) -> Self {
        let option = self.mode.take().map(|mode| format!("mode={mode}"));
        self.options.extend(option);
        self
    }
}

fn names(text: &str) -> Result<String, String> {
    if text.split(',').any(str::is_empty) {
        return Err("write all or names of libraries".to_owned());
    }
    Ok(text.to_owned())
}

fn mode(text: &str) -> Result<&'static str, String> {
    let mut names = compare::MODES.into_iter().chain(["all"]);
    let found = names.find(|name| *name == text);
    found.ok_or_else(|| format!("one of {} or all", compare::MODES.join(", ")))
}

fn key_value(text: &str) -> Result<String, String> {
    match text.split_once('=') {
        Some((key, _)) if !key.is_empty() && !key.contains(':') => Ok(text.to_owned()),
        _ => Err("write KEY=VALUE".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_definition_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn what_follows_two_dashes_is_the_program() {
        let cli = Cli::parse_from(["racert", "run", "-o", "mode=hb", "--", "./app", "--flag"]);
        let Command::Run(run) = cli.command else {
            panic!("not run: {cli:?}")
        };
        assert_eq!(run.options, ["mode=hb"]);
        assert_eq!(run.program, ["./app", "--flag"]);
    }

    #[test]
    fn a_mode_is_an_option_of_the_runtime() {
        let cli = Cli::parse_from(["racert", "run", "--mode", "eraser", "--", "x"]);
        let Command::Run(run) = cli.command else {
            panic!("not run: {cli:?}")
        };
        assert_eq!(run.with_mode().options, ["mode=eraser"]);
        assert!(Cli::try_parse_from(["racert", "run", "--mode", "erasr", "--", "x"]).is_err());
    }

    #[test]
    fn an_option_needs_a_key_and_a_value() {
        for bad in ["mode", "=hb", "a:b=c"] {
            assert!(
                Cli::try_parse_from(["racert", "run", "-o", bad, "--", "x"]).is_err(),
                "{bad}"
            );
        }
    }
}
