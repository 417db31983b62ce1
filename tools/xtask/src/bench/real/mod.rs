//! Real programs, built from Debian source packages.

mod recipe;

pub(super) use recipe::{RECIPES, Recipe};

use super::launch::Launcher;
use super::places::Places;
use super::results::Report;

/// The recipes asked for: none, those named, or all.
pub(super) fn choose(names: Option<&[String]>) -> anyhow::Result<Vec<&'static Recipe>> {
    let _ = names;
    Ok(Vec::new())
}

/// Measures.
pub(super) fn measure(_: &Places, _: &Launcher, _: &[&Recipe], _: &mut Report) {}
