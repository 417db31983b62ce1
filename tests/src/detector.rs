//! The detector under test: racert, or ThreadSanitizer as a second opinion.
//!
//! The corpus makes claims about programs, not about racert, so another
//! detector can be asked the same questions. `RACERT_TEST_PEER=tsan` does so;
//! where it disagrees, either the claim is wrong or the scenario's header
//! names the difference and its reason.

use std::env;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::matrix::{Case, Language};

/// A detector that can compile programs and prints reports.
#[derive(Clone, Debug)]
pub enum Detector {
    /// racert, installed below this prefix.
    Racert(PathBuf),
    /// `clang-22 -fsanitize=thread`.
    Tsan,
}

impl Detector {
    /// The detector that the environment asks for.
    pub fn from_env() -> Result<Detector, String> {
        match env::var("RACERT_TEST_PEER").as_deref() {
            Ok("tsan") => return Ok(Detector::Tsan),
            Ok("") | Err(_) => {}
            Ok(other) => return Err(format!("RACERT_TEST_PEER={other}: only 'tsan' is known")),
        }
        let prefix = match env::var_os("RACERT_PREFIX") {
            Some(prefix) => PathBuf::from(prefix),
            None => crate::target_dir().join("racert"),
        };
        Ok(Detector::Racert(prefix))
    }

    /// The name in the first line of its reports.
    pub fn name(&self) -> &'static str {
        match self {
            Detector::Racert(_) => "racert",
            Detector::Tsan => "ThreadSanitizer",
        }
    }

    /// The compiler for a language.
    pub fn compiler(&self, language: Language) -> PathBuf {
        match (self, language) {
            (Detector::Racert(prefix), Language::C) => prefix.join("bin/racert-clang"),
            (Detector::Racert(prefix), Language::Cxx) => prefix.join("bin/racert-clang++"),
            (Detector::Tsan, Language::C) => PathBuf::from("/usr/bin/clang-22"),
            (Detector::Tsan, Language::Cxx) => PathBuf::from("/usr/bin/clang++-22"),
        }
    }

    /// The C compiler beside it, which knows no detector.
    pub fn plain_compiler(&self) -> PathBuf {
        PathBuf::from(format!("/usr/bin/clang-{}", self.llvm()))
    }

    /// Major version of the LLVM its compiler is made of.
    pub fn llvm(&self) -> u32 {
        let plugin = |prefix: &PathBuf| fs::read_link(prefix.join("lib/libracert_pass.so")).ok();
        let name = match self {
            Detector::Racert(prefix) => plugin(prefix),
            Detector::Tsan => None,
        };
        name.as_deref()
            .and_then(|name| {
                name.to_str()?
                    .strip_prefix("libracert_pass-")?
                    .strip_suffix(".so")
            })
            .and_then(|version| version.parse().ok())
            .unwrap_or(22)
    }

    /// Flags that its compiler needs besides the usual ones.
    pub fn flags(&self) -> &'static [&'static str] {
        match self {
            Detector::Racert(_) => &[],
            Detector::Tsan => &["-fsanitize=thread"],
        }
    }

    /// Files that a compiled program depends on besides its sources.
    pub fn inputs(&self) -> Vec<PathBuf> {
        let mut inputs = vec![self.compiler(Language::C)];
        if let Detector::Racert(prefix) = self {
            inputs.push(prefix.join("lib/libracert.a"));
            inputs.push(prefix.join("lib/libracert_pass.so"));
        }
        inputs
    }

    /// Sets what the program's detector reads from its environment.
    pub fn configure(&self, command: &mut Command, case: &Case) {
        command
            .env_remove("RACERT_OPTIONS")
            .env_remove("TSAN_OPTIONS");
        let mode = case.mode.as_ref().map(|mode| format!("mode={mode}"));
        let options: Vec<String> = mode
            .into_iter()
            .chain(case.scenario.header.options.clone())
            .collect();
        if let (Detector::Racert(_), false) = (self, options.is_empty()) {
            command.env("RACERT_OPTIONS", options.join(":"));
        }
    }
}
