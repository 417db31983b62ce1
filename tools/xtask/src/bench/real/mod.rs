//! Real programs, built from Debian source packages.

pub(crate) mod check;
mod measure;
mod programs;
mod recipe;
mod workshop;

pub(super) use measure::{choose, measure};
pub(crate) use programs::RECIPES;
