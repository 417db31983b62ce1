//! The compile-time half of racert: an LLVM pass that puts race checks into a
//! program.
//!
//! One module follows the other in the order in which a function passes
//! through them: `plugin` registers with LLVM, `prepare` decides which
//! functions take part, `module_pass` drives the rest, `access` collects what
//! a function touches, `eliminate` finds what need not be checked, `check`
//! emits the inlined tests, and `atomics`,
//! `meminst`, `masked`, `inline_asm`, `library_calls`, `loading` and `frames` handle what is
//! not a plain load or store. `atomic_pointers` knows what libstdc++ leaves unsaid, `unseen` what
//! Rust's standard library does for itself. `llvm` is the only module that talks to
//! LLVM directly.

mod access;
mod asm_constraints;
mod atomic_pointers;
mod atomics;
mod check;
mod eliminate;
mod filter;
mod frames;
mod ignorelist;
mod inline_asm;
mod library_caches;
mod library_calls;
mod llvm;
mod loading;
mod masked;
mod meminst;
mod module_pass;
mod options;
mod pieces;
mod pipelines;
mod plugin;
mod prepare;
mod runtime;
mod stats;
mod sync_loops;
mod unseen;
