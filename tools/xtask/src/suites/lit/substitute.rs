//! lit's substitutions: from a `RUN:` line to a command for bash.

use std::path::Path;

use crate::suites::places::Places;
use crate::suites::tool::Tool;

/// What the lines of one test are filled with.
#[derive(Debug)]
pub(super) struct Substitutions {
    pairs: Vec<(&'static str, String)>,
}

impl Substitutions {
    /// For the test `source` of the suite in `suite`, working in `folder`.
    pub(super) fn new(
        source: &Path,
        suite: &Path,
        folder: &Path,
        tool: Tool,
        places: &Places,
    ) -> Self {
        let common = format!(
            "-Wall -gline-tables-only -I{} {}",
            suite.parent().unwrap_or(suite).display(),
            tool.flags().join(" ")
        );
        let clang = format!("{} {common} ", places.compiler(false).display());
        let clangxx = format!("{} {common} -std=c++11 ", places.compiler(true).display());
        let temporary = folder.join("test.tmp").display().to_string();
        let here = folder.display().to_string();
        // Longer names first: `%t` begins some of them.
        let pairs = vec![
            (
                "%env_tsan_opts=",
                "env TSAN_OPTIONS=atexit_sleep_ms=0:".to_owned(),
            ),
            ("%clang_tsan ", clang),
            ("%clangxx_tsan ", clangxx),
            ("%link_libcxx_tsan", String::new()),
            ("%darwin_min_target_with_tls_support", String::new()),
            (
                "%ld_flags_rpath_exe",
                format!("-Wl,-rpath,{here} -L{here} -ltest.dynamic"),
            ),
            ("%ld_flags_rpath_so", String::new()),
            ("%dynamiclib", format!("{here}/libtest.dynamic.so")),
            ("%deflake ", "deflake ".to_owned()),
            ("%run ", "launch ".to_owned()),
            ("%os", "Linux".to_owned()),
            ("%s", source.display().to_string()),
            ("%t", temporary),
            ("%T", here),
            ("llvm-objdump", "llvm-objdump-22".to_owned()),
            ("FileCheck", "capture".to_owned()),
        ];
        Self { pairs }
    }

    /// The command of a `RUN:` line.
    pub(super) fn fill(&self, run: &str, tool: Tool) -> String {
        let mut command = run.to_owned();
        for (name, value) in &self.pairs {
            command = command.replace(name, value);
        }
        if tool == Tool::Racert {
            command = command.replace("-fsanitize-ignorelist=", "-Xracert --ignorelist=");
        }
        command
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn longer_names_win() {
        let places = Places::new(None, Tool::Tsan);
        let substitutions = Substitutions::new(
            Path::new("/s/tsan/a.c"),
            Path::new("/s/tsan"),
            Path::new("/w"),
            Tool::Tsan,
            &places,
        );
        let filled = substitutions.fill("%deflake %run %t-dir/x | FileCheck %s", Tool::Tsan);
        assert_eq!(
            filled,
            "deflake launch /w/test.tmp-dir/x | capture /s/tsan/a.c"
        );
        let filled = substitutions.fill("%clang_tsan -O1 %s -o %t", Tool::Tsan);
        assert!(filled.starts_with("clang-22 -Wall"), "{filled}");
    }
}
