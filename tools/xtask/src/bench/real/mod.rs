//! Real programs, built from Debian source packages.

mod measure;
mod programs;
mod recipe;
mod workshop;

pub(super) use measure::{choose, measure};
pub(crate) use programs::RECIPES;
