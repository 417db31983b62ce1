//! What a compiler invocation is: does it compile, link, or only ask?
//!
//! The classification follows clang's driver: options that take their value
//! as a separate argument are known, so that a value is not mistaken for an
//! input; everything unknown that begins with `-` is an option without one.

use std::ffi::OsString;

use super::options::{
    DEBUG_LEVELS, FRONTEND_ONLY, HEADER_EXTENSIONS, QUERIES, SEPARATE, SOURCE_EXTENSIONS,
};

/// What the invocation produces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Prints something or does nothing: hand it to clang untouched.
    Query,
    /// Stops before code generation (`-E`, `-M`, `-fsyntax-only`, headers).
    Frontend,
    /// Stops before linking (`-c`, `-S`).
    Compile,
    /// Goes all the way.
    Link(Output),
}

/// What a linking invocation makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Output {
    /// A program, position independent or not.
    Executable,
    /// `-shared`.
    SharedLibrary,
    /// `-r`: an object made of objects.
    Relocatable,
    /// `-static` or `-static-pie`.
    StaticExecutable,
}

/// All that racert needs to know of an invocation.
#[derive(Debug)]
pub(crate) struct Invocation {
    /// What it produces.
    pub(crate) mode: Mode,
    /// At least one input is source (or IR) and goes through the optimiser.
    pub(crate) compiles: bool,
    /// The user chose a level of debug information, be it none.
    pub(crate) chooses_debug_info: bool,
    /// `-nostdlib` or `-nodefaultlibs`.
    pub(crate) no_default_libs: bool,
    /// A shared library is asked to leave nothing undefined.
    pub(crate) forbids_undefined: bool,
    /// The linker that `-fuse-ld=` or `--ld-path=` names.
    pub(crate) linker: Option<String>,
    /// Values of `-Xracert`, in order.
    pub(crate) racert_options: Vec<String>,
    /// Sanitizers that are on at the end of the command line.
    pub(crate) sanitizers: Vec<String>,
    /// `-fno-sanitize=thread`: sources are to be left alone.
    pub(crate) uninstrumented: bool,
    /// The target, when one is chosen that racert does not serve.
    pub(crate) foreign_target: Option<String>,
}

impl Invocation {
    /// Classifies `args`, in which response files are already opened.
    pub(crate) fn parse(args: &[OsString]) -> Self {
        let mut scan = Scan::default();
        let texts: Vec<_> = args.iter().map(|arg| arg.to_string_lossy()).collect();
        let mut rest = texts.iter().map(AsRef::as_ref);
        while let Some(arg) = rest.next() {
            scan.argument(arg, &mut rest);
        }
        scan.finish()
    }
}

/// The state of reading an argument list from left to right.
#[derive(Default)]
struct Scan {
    query: bool,
    frontend: bool,
    compile: bool,
    shared: bool,
    relocatable: bool,
    statically: bool,
    language: Option<String>,
    sources: u32,
    headers: u32,
    objects: u32,
    chooses_debug_info: bool,
    no_default_libs: bool,
    forbids_undefined: bool,
    linker: Option<String>,
    previous_linker_word_is_z: bool,
    racert_options: Vec<String>,
    sanitizers: Vec<String>,
    uninstrumented: bool,
    target: Option<String>,
}

impl Scan {
    fn argument<'a>(&mut self, arg: &str, rest: &mut impl Iterator<Item = &'a str>) {
        if arg == "-" || !arg.starts_with('-') {
            self.input(arg);
        } else if SEPARATE.contain(arg) || arg.starts_with("-Xarch_") {
            self.with_value(arg, rest.next().unwrap_or_default());
        } else {
            self.flag(arg);
        }
    }

    fn input(&mut self, name: &str) {
        let extension = name
            .rsplit('/')
            .next()
            .and_then(|file| file.rsplit_once('.'));
        let extension = extension.map_or("", |(_, extension)| extension);
        let language = self.language.as_deref();
        let is_header = language.map_or(HEADER_EXTENSIONS.contain(extension), |language| {
            language.ends_with("-header")
        });
        if is_header {
            self.headers += 1;
        } else if language.is_some() || name == "-" || SOURCE_EXTENSIONS.contain(extension) {
            self.sources += 1;
        } else {
            self.objects += 1;
        }
    }

    fn with_value(&mut self, option: &str, value: &str) {
        match option {
            "-x" | "--language" => self.set_language(value),
            "-l" => self.objects += 1,
            "-Xlinker" | "--for-linker" => self.linker_word(value),
            "-z" => self.forbids_undefined |= value == "defs",
            "-Xracert" => self.racert_options.push(value.to_owned()),
            "-target" | "--target" => self.target = Some(value.to_owned()),
            _ => {}
        }
    }

    fn flag(&mut self, arg: &str) {
        if QUERIES.contain(arg) || is_print_query(arg) {
            self.query = true;
        } else if FRONTEND_ONLY.contain(arg) {
            self.frontend = true;
        } else if DEBUG_LEVELS.contain(arg)
            || arg.starts_with("-ggdb")
            || arg.starts_with("-gdwarf")
            || arg.starts_with("-gstabs")
        {
            self.chooses_debug_info = true;
        } else if let Some(words) = arg.strip_prefix("-Wl,") {
            words.split(',').for_each(|word| self.linker_word(word));
        } else if let Some(list) = arg.strip_prefix("-fsanitize=") {
            self.sanitizers.extend(list.split(',').map(str::to_owned));
        } else if let Some(list) = arg.strip_prefix("-fno-sanitize=") {
            let off: Vec<_> = list.split(',').collect();
            self.sanitizers
                .retain(|on| !off.contains(&on.as_str()) && !off.contains(&"all"));
            self.uninstrumented |= off.contains(&"thread") || off.contains(&"all");
        } else if let Some(file) = arg.strip_prefix("-fsanitize-ignorelist=") {
            self.racert_options.push(format!("--ignorelist={file}"));
        } else if let Some(linker) = arg
            .strip_prefix("-fuse-ld=")
            .or_else(|| arg.strip_prefix("--ld-path="))
        {
            self.linker = Some(linker.to_owned());
        } else if let Some(target) = arg.strip_prefix("--target=") {
            self.target = Some(target.to_owned());
        } else if let Some(language) = arg
            .strip_prefix("-x")
            .or_else(|| arg.strip_prefix("--language="))
        {
            self.set_language(language);
        } else if let Some(word) = arg.strip_prefix("-z") {
            self.forbids_undefined |= word == "defs";
        } else if arg.starts_with("-l") {
            self.objects += 1;
        } else {
            self.plain_flag(arg);
        }
    }

    fn plain_flag(&mut self, arg: &str) {
        match arg {
            "-c" | "--compile" | "-S" | "--assemble" => self.compile = true,
            "-shared" | "--shared" => self.shared = true,
            "-r" => self.relocatable = true,
            "-static" | "--static" | "-static-pie" => self.statically = true,
            "-nostdlib" | "--no-standard-libraries" | "-nodefaultlibs" => {
                self.no_default_libs = true;
            }
            "-m32" => self.target = Some("i386".to_owned()),
            "-mx32" => self.target = Some("x32".to_owned()),
            "-m64" => self.target = None,
            _ => {}
        }
    }

    fn set_language(&mut self, language: &str) {
        self.language = (language != "none").then(|| language.to_owned());
    }

    fn linker_word(&mut self, word: &str) {
        let after_z = std::mem::replace(&mut self.previous_linker_word_is_z, word == "-z");
        self.forbids_undefined |= matches!(word, "--no-undefined" | "-no-undefined" | "-zdefs")
            || (after_z && word == "defs");
    }

    fn finish(self) -> Invocation {
        let inputs = self.sources + self.headers + self.objects;
        let only_headers = self.headers > 0 && self.sources + self.objects == 0;
        let mode = if self.query || inputs == 0 {
            Mode::Query
        } else if self.frontend || only_headers {
            Mode::Frontend
        } else if self.compile {
            Mode::Compile
        } else if self.shared {
            Mode::Link(Output::SharedLibrary)
        } else if self.relocatable {
            Mode::Link(Output::Relocatable)
        } else if self.statically {
            Mode::Link(Output::StaticExecutable)
        } else {
            Mode::Link(Output::Executable)
        };
        Invocation {
            mode,
            compiles: self.sources + self.headers > 0,
            chooses_debug_info: self.chooses_debug_info,
            no_default_libs: self.no_default_libs,
            forbids_undefined: self.forbids_undefined,
            linker: self.linker,
            racert_options: self.racert_options,
            sanitizers: self.sanitizers,
            uninstrumented: self.uninstrumented,
            foreign_target: self.target.filter(|t| !is_x86_64_linux(t)),
        }
    }
}

fn is_print_query(arg: &str) -> bool {
    arg.starts_with("-print-") || arg.starts_with("--print-") || arg.starts_with("--autocomplete=")
}

fn is_x86_64_linux(target: &str) -> bool {
    let mut parts = target.split('-');
    matches!(parts.next(), Some("x86_64" | "amd64"))
        && (target.contains("linux") && !target.ends_with("x32"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Invocation {
        let args: Vec<OsString> = line.split_ascii_whitespace().map(OsString::from).collect();
        Invocation::parse(&args)
    }

    #[test]
    fn the_output_decides_the_mode() {
        for (line, mode) in [
            ("a.c", Mode::Link(Output::Executable)),
            ("-o app a.o -lfoo", Mode::Link(Output::Executable)),
            ("-lmain_in_a_library", Mode::Link(Output::Executable)),
            ("-shared -o liba.so a.o", Mode::Link(Output::SharedLibrary)),
            ("-r -o ab.o a.o b.o", Mode::Link(Output::Relocatable)),
            ("-static a.c", Mode::Link(Output::StaticExecutable)),
            ("-static-pie a.c", Mode::Link(Output::StaticExecutable)),
            ("-static-libgcc a.c", Mode::Link(Output::Executable)),
            ("-static -c a.c", Mode::Compile),
            ("-shared -static a.o", Mode::Link(Output::SharedLibrary)),
            ("-c a.c", Mode::Compile),
            ("-S -emit-llvm a.c", Mode::Compile),
            ("-E a.c", Mode::Frontend),
            ("-E -", Mode::Frontend),
            ("-MM a.c", Mode::Frontend),
            ("-MD -MF a.d -c a.c", Mode::Compile),
            ("-MMD a.c", Mode::Link(Output::Executable)),
            ("-fsyntax-only a.c", Mode::Frontend),
            ("-x c++-header a.inc -o a.pch", Mode::Frontend),
            ("a.h", Mode::Frontend),
        ] {
            assert_eq!(parse(line).mode, mode, "{line}");
        }
    }

    #[test]
    fn without_inputs_it_is_a_question() {
        for line in [
            "",
            "-v",
            "--version",
            "-dumpmachine",
            "-print-prog-name=ld",
            "--print-search-dirs a.c",
            "-Wl,--version",
            "-o out",
            "-D NAME",
            "-I include -isystem sys",
            "-cc1 -emit-obj a.c",
            "-###",
        ] {
            assert_eq!(parse(line).mode, Mode::Query, "{line}");
        }
        assert_eq!(parse("-### a.c").mode, Mode::Link(Output::Executable));
        assert_eq!(parse("-v -c a.c").mode, Mode::Compile);
    }

    #[test]
    fn sources_are_told_from_objects() {
        for line in [
            "a.c",
            "x.o a.cpp",
            "-x c -",
            "-x c weird.name",
            "a.ll",
            "-xc++ a.o",
            "dir.o/a.c",
        ] {
            assert!(parse(line).compiles, "{line}");
        }
        for line in [
            "a.o",
            "liba.a libb.so.1",
            "-x c -x none a.o",
            "a.lo",
            "-include a.c b.o",
            "dir.c/noext",
        ] {
            assert!(!parse(line).compiles, "{line}");
        }
    }

    #[test]
    fn any_level_of_debug_information_is_the_users_choice() {
        for line in [
            "-g",
            "-g0",
            "-ggdb3",
            "-gdwarf-4",
            "-gline-tables-only",
            "-g1",
        ] {
            assert!(parse(&format!("{line} a.c")).chooses_debug_info, "{line}");
        }
        for line in [
            "-gz",
            "-gsplit-dwarf",
            "-gno-column-info",
            "-grecord-command-line",
            "-O2",
        ] {
            assert!(!parse(&format!("{line} a.c")).chooses_debug_info, "{line}");
        }
    }

    #[test]
    fn every_spelling_of_no_undefined_is_seen() {
        for line in [
            "-Wl,-z,defs",
            "-Wl,-zdefs",
            "-Wl,--no-undefined",
            "-Wl,-soname,x,-z,relro,-z,defs",
            "-Xlinker -z -Xlinker defs",
            "-Wl,-z -Wl,defs",
            "-z defs",
        ] {
            assert!(
                parse(&format!("-shared a.o {line}")).forbids_undefined,
                "{line}"
            );
        }
        for line in ["-Wl,-z,relro", "-Wl,-z,now,defs.o", "-z now"] {
            assert!(
                !parse(&format!("-shared a.o {line}")).forbids_undefined,
                "{line}"
            );
        }
    }

    #[test]
    fn an_ignore_list_for_sanitizers_is_one_for_racert() {
        let invocation = parse("-c -fsanitize-ignorelist=list.txt a.c");
        assert_eq!(invocation.racert_options, ["--ignorelist=list.txt"]);
    }

    #[test]
    fn sources_may_be_left_alone() {
        assert!(parse("-c -fno-sanitize=thread a.c").uninstrumented);
        assert!(parse("-c -fno-sanitize=all a.c").uninstrumented);
        assert!(!parse("-c -fno-sanitize=address a.c").uninstrumented);
    }

    #[test]
    fn sanitizers_are_those_left_on() {
        assert_eq!(
            parse("-fsanitize=thread,undefined a.c").sanitizers,
            ["thread", "undefined"]
        );
        assert_eq!(
            parse("-fsanitize=thread -fno-sanitize=thread a.c").sanitizers,
            [""; 0]
        );
        assert_eq!(
            parse("-fsanitize=address -fno-sanitize=all a.c").sanitizers,
            [""; 0]
        );
    }

    #[test]
    fn only_this_target_is_ours() {
        for line in [
            "a.c",
            "--target=x86_64-linux-gnu a.c",
            "-target x86_64-pc-linux-gnu a.c",
            "-m32 -m64 a.c",
        ] {
            assert_eq!(parse(line).foreign_target, None, "{line}");
        }
        for line in [
            "-m32 a.c",
            "--target=aarch64-linux-gnu a.c",
            "-target x86_64-apple-darwin a.c",
            "-mx32 a.c",
        ] {
            assert!(parse(line).foreign_target.is_some(), "{line}");
        }
    }

    #[test]
    fn racert_options_keep_their_order() {
        let invocation = parse("-Xracert --stats -c a.c -Xracert --ignorelist=f");
        assert_eq!(invocation.racert_options, ["--stats", "--ignorelist=f"]);
    }
}
