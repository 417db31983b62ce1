//! The figures of a run, as written to JSON and shown in tables.

use serde::Serialize;

use super::tool::Tool;
use super::verdict::Verdict;

/// Everything one run of `cargo xtask bench` found.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Report {
    /// Optimisation level of the kernels.
    pub(super) opt: String,
    /// First line of the compiler's version.
    pub(super) compiler: String,
    /// Processors the run could use.
    pub(super) processors: usize,
    /// Repetitions behind each median (valgrind's tools: one).
    pub(super) reps: u32,
    /// The tools compared.
    pub(super) tools: Vec<Tool>,
    /// One row a kernel.
    pub(super) kernels: Vec<Row>,
    /// Single costs.
    pub(super) micro: Vec<Micro>,
    /// One row a real program.
    pub(super) real: Vec<Row>,
    /// How the figures stand against what racert promises.
    pub(super) verdicts: Vec<Verdict>,
    /// What could not be measured, and why.
    pub(super) failures: Vec<Failure>,
}

/// One program under every tool.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Row {
    /// The kernel's or program's name.
    pub(super) name: String,
    /// What it exercises.
    pub(super) about: String,
    /// The tools that ran it.
    pub(super) cells: Vec<Cell>,
}

/// One program under one tool.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Cell {
    /// The tool.
    pub(super) tool: Tool,
    /// The share of the full work that was done.
    pub(super) percent: u32,
    /// Runs behind the medians.
    pub(super) reps: usize,
    /// Median of user plus system time.
    pub(super) cpu_seconds: f64,
    /// Half the quartile distance of it, relative.
    pub(super) cpu_spread: Option<f64>,
    /// Median time on the clock.
    pub(super) wall_seconds: f64,
    /// Median peak resident memory.
    pub(super) rss_bytes: f64,
    /// CPU time against native doing the same share of the work.
    pub(super) slowdown: f64,
    /// Peak memory against native doing the same share of the work.
    pub(super) growth: f64,
    /// Whether the tool reported something.
    pub(super) reports: bool,
}

/// What single things cost under one tool.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Micro {
    /// The tool.
    pub(super) tool: Tool,
    /// CPU time of a hello world without threads.
    pub(super) hello_seconds: f64,
    /// Peak memory of it.
    pub(super) hello_rss_bytes: f64,
    /// CPU time of a hello world with one thread created and joined.
    pub(super) hello_thread_seconds: f64,
    /// Peak memory of it.
    pub(super) hello_thread_rss_bytes: f64,
    /// An uncontended lock and unlock.
    pub(super) lock_unlock_nanoseconds: f64,
    /// Memory for one more live thread.
    pub(super) thread_bytes: f64,
}

/// Something that could not be measured.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Failure {
    /// The kernel, program or figure.
    pub(super) subject: String,
    /// The tool.
    pub(super) tool: Tool,
    /// Why, with the path of a log where there is one.
    pub(super) reason: String,
}

impl Row {
    /// The figures of `tool`.
    pub(super) fn cell(&self, tool: Tool) -> Option<&Cell> {
        self.cells.iter().find(|cell| cell.tool == tool)
    }

    /// CPU time of racert against ThreadSanitizer.
    pub(super) fn time_ratio(&self) -> Option<f64> {
        self.ratio(|cell| cell.cpu_seconds)
    }

    /// Peak memory of racert against ThreadSanitizer.
    pub(super) fn memory_ratio(&self) -> Option<f64> {
        self.ratio(|cell| cell.rss_bytes)
    }

    fn ratio(&self, figure: impl Fn(&Cell) -> f64) -> Option<f64> {
        Some(figure(self.cell(Tool::Racert)?) / figure(self.cell(Tool::Tsan)?))
    }
}

/// Rows and cells with given times, for tests of what is made from them.
#[cfg(test)]
pub(super) mod sample {
    use super::*;

    /// A report of native, racert and tsan on `kernels`.
    pub(in super::super) fn report(kernels: Vec<Row>) -> Report {
        Report {
            opt: "O2".to_owned(),
            compiler: "clang".to_owned(),
            processors: 2,
            reps: 5,
            tools: vec![Tool::Native, Tool::Racert, Tool::Tsan],
            kernels,
            micro: Vec::new(),
            real: Vec::new(),
            verdicts: Vec::new(),
            failures: Vec::new(),
        }
    }

    /// A row named `name`: (tool, seconds, megabytes) each.
    pub(in super::super) fn row(name: &str, figures: &[(Tool, f64, f64)]) -> Row {
        let (_, native_seconds, native_megabytes) = figures[0];
        let cells = figures
            .iter()
            .map(|&(tool, seconds, megabytes)| Cell {
                tool,
                percent: 100,
                reps: 5,
                cpu_seconds: seconds,
                cpu_spread: Some(0.01),
                wall_seconds: seconds / 2.0,
                rss_bytes: megabytes * 1e6,
                slowdown: seconds / native_seconds,
                growth: megabytes / native_megabytes,
                reports: false,
            })
            .collect();
        Row {
            name: name.to_owned(),
            about: "a test".to_owned(),
            cells,
        }
    }
}
