//! Whether a tool is at work at all. One that lost its runtime or its
//! interceptors is quick, small and silent on race-free kernels: only a race
//! shows the difference.

use super::build::{Program, build};
use super::launch::{End, Launcher};
use super::places::Places;
use super::results::Failure;
use super::series::REPORTED;
use super::tool::Tool;

/// The name of the check.
pub(super) const NAME: &str = "canary";

/// The failures of those of `tools` that do not report the race in
/// `tests/bench/micro/canary.c`.
pub(super) fn check(
    places: &Places,
    launcher: &Launcher,
    tools: &[Tool],
    opt: &str,
) -> Vec<Failure> {
    tools
        .iter()
        .filter(|&&tool| tool != Tool::Native)
        .filter_map(|&tool| {
            let reason = match reports(places, launcher, tool, opt) {
                Ok(End::Code(REPORTED)) => return None,
                Ok(end) => format!("a plain data race was not reported ({end}): no figure of this tool means anything"),
                Err(error) => format!("{error:#}"),
            };
            Some(Failure { subject: NAME.to_owned(), tool, reason })
        })
        .collect()
}

fn reports(places: &Places, launcher: &Launcher, tool: Tool, opt: &str) -> anyhow::Result<End> {
    let source = places.sources.join("micro").join(format!("{NAME}.c"));
    let program = Program {
        name: NAME.to_owned(),
        source,
        cpp: false,
    };
    let mut command = tool.prefix();
    command.push(build(places, &program, tool, opt)?.display().to_string());
    Ok(launcher.run(&command, None)?.end)
}
