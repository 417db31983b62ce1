//! Chooses real programs, has them built and runs them.

use anyhow::Context as _;

use super::programs::RECIPES;
use super::recipe::Recipe;
use super::workshop::Workshop;
use crate::bench::launch::Launcher;
use crate::bench::places::Places;
use crate::bench::progress::Progress;
use crate::bench::results::{Failure, Report};
use crate::bench::series::{self, Subject, Variant};
use crate::bench::tool::Tool;

/// The recipes asked for: none, those named, or all.
pub(crate) fn choose(names: Option<&[String]>) -> anyhow::Result<Vec<&'static Recipe>> {
    match names {
        None => Ok(Vec::new()),
        Some([]) => Ok(RECIPES.iter().collect()),
        Some(names) => names
            .iter()
            .map(|name| {
                RECIPES
                    .iter()
                    .find(|recipe| recipe.name == name)
                    .with_context(|| format!("no program {name:?} (--list shows them)"))
            })
            .collect(),
    }
}

/// Builds and measures `recipes` with `tools`. One that fails is noted, with
/// its log, and the others go on.
pub(crate) fn measure(
    places: &Places,
    launcher: &Launcher,
    recipes: &[&Recipe],
    tools: &[Tool],
    report: &mut Report,
) -> anyhow::Result<()> {
    if recipes.is_empty() {
        return Ok(());
    }
    let mut workshop = Workshop::open(places)?;
    let mut building = Progress::new(recipes.len() * tools.len());
    let mut subjects = Vec::new();
    for recipe in recipes {
        let mut variants = Vec::new();
        for &tool in tools {
            building.step(&format!("building {} {}", recipe.name, tool.name()));
            match workshop.build(recipe, tool) {
                Ok(tree) => variants.push(Variant {
                    tool,
                    percent: 100,
                    reps: if tool.is_valgrind() { 1 } else { report.reps },
                    command: command(&workshop, recipe, tool),
                    folder: Some(tree),
                    beside: recipe
                        .beside
                        .map(|script| exported(&workshop, tool, script)),
                }),
                Err(error) => report.failures.push(Failure {
                    subject: recipe.name.to_owned(),
                    tool,
                    reason: format!("{error:#}"),
                }),
            }
        }
        subjects.push(Subject {
            name: recipe.name.to_owned(),
            about: recipe.about.to_owned(),
            race_free: false,
            variants,
        });
    }
    drop(building);
    let total = subjects
        .iter()
        .flat_map(|s| &s.variants)
        .map(|v| v.reps as usize)
        .sum();
    let mut progress = Progress::new(total);
    for subject in &subjects {
        report.real.push(series::measure(
            launcher,
            subject,
            &mut progress,
            &mut report.failures,
        ));
    }
    Ok(())
}

fn command(workshop: &Workshop<'_>, recipe: &Recipe, tool: Tool) -> Vec<String> {
    vec![
        "sh".to_owned(),
        "-euc".to_owned(),
        exported(workshop, tool, recipe.run),
    ]
}

/// `script` with its variables set before it.
pub(super) fn exported(workshop: &Workshop<'_>, tool: Tool, script: &str) -> String {
    let mut text = String::new();
    for (name, value) in workshop.variables(tool) {
        text += &format!("{name}='{}'\n", value.replace('\'', "'\\''"));
    }
    text + script
}
