//! What one thing costs: the same work with it and without, in turn.

use anyhow::ensure;

use super::launch::{End, Launcher, Sample};
use super::stats::{median, spread};

/// Prints what the columns of [`line()`] mean.
pub(super) fn heading() {
    println!(
        "{:<24} {:>9} {:>9} {:>8} {:>7}",
        "", "with", "without", "cost", "spread"
    );
}

/// Runs the two commands, with it and without, `reps` times and prints a line:
/// medians of CPU time, and how far to trust them. Gives back their ratio.
pub(super) fn line(
    launcher: &Launcher,
    name: &str,
    commands: &[Vec<String>; 2],
    reps: u32,
) -> anyhow::Result<f64> {
    let mut seconds = [Vec::new(), Vec::new()];
    for turn in 0..reps {
        // Neither always comes first.
        for index in [turn % 2, (turn + 1) % 2].map(|index| index as usize) {
            let sample = launcher.run(&commands[index], None)?;
            ensure!(sample.end == End::Code(0), "{name}: {}", complaint(&sample));
            seconds[index].push(sample.cpu.as_secs_f64());
        }
    }
    let [with, without] = seconds
        .each_ref()
        .map(|all| median(all).unwrap_or(f64::NAN));
    let ratio = with / without;
    let cost = 100.0 * (ratio - 1.0);
    let trust = spread(&seconds[1]).unwrap_or(f64::NAN) * 100.0;
    println!("{name:<24} {with:>8.3}s {without:>8.3}s {cost:>+7.1}% {trust:>6.1}%");
    Ok(ratio)
}

fn complaint(sample: &Sample) -> String {
    let first = sample.stderr.lines().next().unwrap_or_default();
    format!("{}: {first}", sample.end)
}
