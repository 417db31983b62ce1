//! `racert doctor`: what on this machine would be in the way.
//!
//! Each check looks at one thing and says ok, warn or fail, and how to mend
//! it: [`toolchain`] the compiler and the installation, [`memory`] the address
//! space the shadow needs, [`process`] what watches or confines processes;
//! [`trial`] tries it all out.

mod finding;
mod memory;
mod process;
mod toolchain;
pub(crate) mod trial;

pub(crate) use finding::report;
