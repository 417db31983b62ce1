//! `.vgtest` files, and the compiler options in valgrind's Makefiles.

/// A test as its `.vgtest` file describes it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Test {
    /// The program, relative to the test's folder.
    pub(super) program: String,
    /// Its arguments.
    pub(super) args: String,
    /// valgrind's options.
    pub(super) options: String,
    /// A condition in shell, if any.
    pub(super) condition: String,
}

impl Test {
    /// Reads a `.vgtest` file.
    pub(super) fn parse(text: &str) -> Self {
        let mut test = Self::default();
        for line in text.lines() {
            let Some((key, value)) = line.split_once(':') else {
                continue;
            };
            let value = value.trim().trim_end_matches(';');
            match key.trim() {
                "prog" => {
                    let (program, args) = value.split_once(' ').unwrap_or((value, ""));
                    test.program = program.to_owned();
                    test.args = args.trim().to_owned();
                }
                "args" => test.args = value.to_owned(),
                "vgopts" => test.options = value.to_owned(),
                "prereq" => test.condition = value.to_owned(),
                _ => {}
            }
        }
        test
    }
}

/// Compiler and linker options `makefile` gives to `program`, without those of
/// other systems and without what automake fills in.
pub(super) fn options(makefile: &str, program: &str) -> Vec<String> {
    let target = program.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
    let joined = makefile.replace("\\\n", " ");
    let mut found = Vec::new();
    for line in joined.lines() {
        let Some((name, value)) = line.split_once('=') else {
            continue;
        };
        let name = name.trim_end_matches('+').trim();
        let variables = ["CFLAGS", "CXXFLAGS", "LDFLAGS", "LDADD"];
        if variables
            .iter()
            .all(|variable| name != format!("{target}_{variable}"))
        {
            continue;
        }
        let words = value
            .split('#')
            .next()
            .unwrap_or_default()
            .split_whitespace();
        let usable = words.filter(|word| {
            word.starts_with('-') && !word.starts_with("-m") && *word != "-D__EXTENSIONS__"
        });
        for word in usable {
            if !found.iter().any(|known| known == word) {
                found.push(word.replace('\'', ""));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_may_bring_its_arguments() {
        let test = Test::parse("prog: fork 1\nvgopts: -q\nprereq: test -e fork\n");
        assert_eq!(test.program, "fork");
        assert_eq!(test.args, "1");
        assert_eq!(test.condition, "test -e fork");
    }

    #[test]
    fn options_of_other_systems_are_dropped() {
        let makefile = "std_x_CXXFLAGS = $(AM_CXXFLAGS) -std=c++0x \\\n  -Wno-y\n\
                        a_b_CFLAGS = $(AM_CFLAGS) -mcpu=cortex-a8\n\
                        std_x_LDADD = $(LDADD) -lm\n";
        assert_eq!(options(makefile, "std_x"), ["-std=c++0x", "-Wno-y", "-lm"]);
        assert!(options(makefile, "a-b").is_empty());
    }
}
