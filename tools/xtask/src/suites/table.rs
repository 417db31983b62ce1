//! The table.

use std::collections::BTreeMap;

use super::args::Suite;
use super::case::{Case, Verdict};
use super::group::Group;

/// Prints a table per suite; with `verbose` what is wrong and what was left out.
pub(super) fn print(cases: &[Case], verbose: bool) {
    let mut suites: BTreeMap<Suite, Vec<&Case>> = BTreeMap::new();
    for case in cases {
        suites.entry(case.suite).or_default().push(case);
    }
    for (suite, cases) in suites {
        println!("\n{}", suite.name());
        println!(
            "  {:<14}{:>6}{:>9}{:>7}{:>9}{:>10}",
            "", "cases", "differs", "right", "", "of all"
        );
        for group in Group::ALL {
            row(
                group.name(),
                cases.iter().filter(|case| case.group == group),
            );
        }
        let both = [Group::Race, Group::NoRace];
        row(
            "race/no race",
            cases.iter().filter(|case| both.contains(&case.group)),
        );
        row(
            "others",
            cases.iter().filter(|case| !both.contains(&case.group)),
        );
        row("all", cases.iter());
        let left_out = cases
            .iter()
            .filter(|case| matches!(case.verdict, Verdict::LeftOut(_)))
            .count();
        println!("  left out: {left_out}");
        if verbose {
            list(&cases);
        }
    }
}

/// Prints the cases as JSON.
pub(super) fn print_json(cases: &[Case]) -> anyhow::Result<()> {
    println!("{}", serde_json::to_string_pretty(cases)?);
    Ok(())
}

/// How many cases are right, of those in which racert does not differ on purpose
/// and of all.
fn row<'a>(name: &str, cases: impl Iterator<Item = &'a &'a Case>) {
    let (mut wrong, mut differs, mut right) = (0_u32, 0_u32, 0_u32);
    for case in cases {
        match case.verdict {
            Verdict::Right => right += 1,
            Verdict::Wrong(_) => wrong += 1,
            Verdict::Differs(_) => differs += 1,
            Verdict::LeftOut(_) => {}
        }
    }
    let total = right + wrong + differs;
    if total > 0 {
        let of = |cases: u32| f64::from(right) * 100.0 / f64::from(cases.max(1));
        let (meant, all) = (of(right + wrong), of(total));
        println!("  {name:<14}{total:>6}{differs:>9}{right:>7}{meant:>8.1}%{all:>9.1}%");
    }
}

fn list(cases: &[&Case]) {
    for case in cases {
        if let Verdict::Wrong(why) = &case.verdict {
            println!("  wrong     {:<12} {}: {why}", case.group.name(), case.name);
        }
    }
    for case in cases {
        if let Verdict::Differs(why) = &case.verdict {
            println!("  differs   {:<12} {}: {why}", case.group.name(), case.name);
        }
    }
    for case in cases {
        if let Verdict::LeftOut(why) = &case.verdict {
            println!("  left out  {}: {why}", case.name);
        }
    }
}
