//! What looking for potential deadlocks costs the lock path: a million
//! acquisitions of ten thousand locks, with it and without.

use super::build::{Program, build};
use super::launch::Launcher;
use super::places::Places;
use super::switch;
use super::tool::Tool;

/// Acquisitions.
const COUNT: &str = "1000000";
/// In which order the locks are taken: always the same pairs, or nearly always
/// new ones.
const ORDERS: [&str; 2] = ["neighbours", "pairs"];

/// Prints one line an order.
pub(super) fn print(
    places: &Places,
    launcher: &Launcher,
    opt: &str,
    reps: u32,
) -> anyhow::Result<()> {
    let program = Program {
        name: "lock_order".to_owned(),
        source: places.sources.join("micro").join("lock_order.c"),
        cpp: false,
    };
    let binary = build(places, &program, Tool::Racert, opt)?;
    switch::heading();
    for order in ORDERS {
        let commands = [1, 0].map(|detect| {
            let options = format!("RACERT_OPTIONS=detect_deadlocks={detect}");
            let binary = binary.display().to_string();
            vec![
                "env".to_owned(),
                options,
                binary,
                order.to_owned(),
                COUNT.to_owned(),
            ]
        });
        switch::line(launcher, &format!("lock order, {order}"), &commands, reps)?;
    }
    Ok(())
}
