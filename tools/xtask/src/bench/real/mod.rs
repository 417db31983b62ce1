//! Real programs, built from Debian source packages.

mod measure;
mod programs;
mod recipe;
mod workshop;

pub(super) use measure::{choose, measure};
pub(super) use programs::RECIPES;
