//! What possible races cost: the kernels in the default mode, which looks for
//! them, and in `mode=hb`, which does not.

use super::build::{Program, build};
use super::kernels::Kernel;
use super::launch::Launcher;
use super::places::Places;
use super::stats::geometric_mean;
use super::switch;
use super::tool::Tool;

/// What is compared: with possible races and without.
const MODES: [&str; 2] = ["hybrid", "hb"];

/// Prints one line a kernel, and the geometric mean of the ratios.
pub(super) fn print(
    places: &Places,
    launcher: &Launcher,
    kernels: &[&Kernel],
    opt: &str,
    percent: u32,
    reps: u32,
) -> anyhow::Result<()> {
    switch::heading();
    let mut ratios = Vec::new();
    for kernel in kernels {
        let binary = build(places, &Program::of(kernel, places), Tool::Racert, opt)?;
        let commands = MODES.map(|mode| {
            vec![
                "env".to_owned(),
                format!("RACERT_OPTIONS=mode={mode}"),
                binary.display().to_string(),
                percent.to_string(),
            ]
        });
        ratios.push(switch::line(launcher, kernel.name, &commands, reps)?);
    }
    if let Some(mean) = geometric_mean(ratios) {
        println!("geometric mean: mode=hybrid takes {mean:.2} x the CPU time of mode=hb");
    }
    Ok(())
}
