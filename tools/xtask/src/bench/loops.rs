//! What recognising loops that wait for another thread costs: racert with it
//! beside racert without, in turn, when compiling and when running.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};

use super::build::compiler;
use super::kernels::Kernel;
use super::launch::Launcher;
use super::places::Places;
use super::switch;
use super::tool::Tool;

/// Leaves recognition out.
const WITHOUT: [&str; 2] = ["-Xracert", "--loops=0"];

/// How to measure.
pub(super) struct Cost<'a> {
    pub(super) places: &'a Places,
    pub(super) launcher: &'a Launcher,
    /// Optimisation level, without the dash.
    pub(super) opt: &'a str,
    /// The share of the kernels' full work.
    pub(super) percent: u32,
    /// Repetitions; the median counts.
    pub(super) reps: u32,
}

impl Cost<'_> {
    /// Prints one line a kernel and a file: CPU time with and without.
    pub(super) fn print(&self, kernels: &[&Kernel], files: &[PathBuf]) -> anyhow::Result<()> {
        switch::heading();
        for file in files {
            let commands = [true, false].map(|with| self.compile(file, with));
            let name = format!("compile {}", name(file));
            switch::line(self.launcher, &name, &commands, self.reps)?;
        }
        for kernel in kernels {
            let commands = [self.build(kernel, true)?, self.build(kernel, false)?];
            switch::line(self.launcher, kernel.name, &commands, self.reps)?;
        }
        Ok(())
    }

    /// The command that compiles a file and keeps nothing.
    fn compile(&self, file: &Path, with: bool) -> Vec<String> {
        let is_cpp = file.extension().is_some_and(|ending| ending != "c");
        let mut command = vec![self.places.wrapper(is_cpp).display().to_string()];
        command.extend(["-g", &format!("-{}", self.opt), "-w", "-c"].map(str::to_owned));
        command.extend([file.display().to_string(), "-o".into(), "/dev/null".into()]);
        command.extend(
            WITHOUT
                .iter()
                .filter(|_| !with)
                .map(|flag| (*flag).to_owned()),
        );
        command
    }

    fn build(&self, kernel: &Kernel, with: bool) -> anyhow::Result<Vec<String>> {
        let folder = self.places.out.join(self.opt).join(if with {
            "racert-loops"
        } else {
            "racert-no-loops"
        });
        std::fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
        let binary = folder.join(kernel.name);
        let mut command = compiler(self.places, kernel.cpp, Tool::Racert);
        command.args(["-g", &format!("-{}", self.opt)]);
        command.args(kernel.cpp.then_some("-std=c++20"));
        command.args(WITHOUT.iter().filter(|_| !with));
        command.arg(kernel.source(&self.places.sources));
        command.arg("-o").arg(&binary).args(["-pthread", "-lm"]);
        let output = command
            .output()
            .with_context(|| format!("cannot run {command:?}"))?;
        if !output.status.success() {
            bail!(
                "{command:?} failed:\n{}",
                String::from_utf8_lossy(&output.stderr)
            );
        }
        Ok(vec![binary.display().to_string(), self.percent.to_string()])
    }
}

fn name(file: &Path) -> String {
    file.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}
