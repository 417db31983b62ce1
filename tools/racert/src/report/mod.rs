//! `racert report`: from records of findings to what people and services read.
//!
//! [`read`] takes the records in and names what is damaged, [`late`] puts names
//! to what has none, [`merge`] makes one
//! finding out of many records of it and compares with a baseline, and one
//! module a format writes the rest: [`text`], [`json`], [`sarif`], [`html`],
//! [`junit`], [`github`].

mod command;
mod github;
mod html;
mod json;
mod junit;
mod late;
mod merge;
mod model;
mod paths;
mod read;
mod rules;
mod sarif;
mod suppress;
#[cfg(test)]
mod tests;
mod text;

pub(crate) use command::{Format, run};
pub(crate) use suppress::run as suppress;
