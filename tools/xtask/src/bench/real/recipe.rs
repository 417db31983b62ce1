//! What it takes to build and run one real program.

/// A program from Debian source packages. All steps are shell scripts; they
/// run in a build tree of their own for each tool, where every source package
/// is unpacked into a folder named after it, with these variables:
///
/// * `CC`, `CXX`: the compilers, with the tool's flags
/// * `CFLAGS`, `CXXFLAGS`: debug information and optimisation
/// * `HERE`: `tests/bench/real` of this repository
/// * `INPUT`: the folder with `text`, `video` and the native helpers
/// * `JOBS`: how many compilers may run at a time
/// * `TOOL`: what goes before the program (valgrind and its options, or nothing)
#[derive(Debug)]
pub(crate) struct Recipe {
    /// The name in the table.
    pub(crate) name: &'static str,
    /// What is built and what it does.
    pub(crate) about: &'static str,
    /// Debian source packages.
    pub(crate) sources: &'static [&'static str],
    /// Programs the build needs besides make, tar and the compiler.
    pub(crate) needs: &'static [&'static str],
    /// Builds the program.
    pub(crate) build: &'static str,
    /// The measured run; prints the same under every tool.
    pub(crate) run: &'static str,
    /// A client that runs beside it, unmeasured.
    pub(crate) beside: Option<&'static str>,
    /// What `cargo xtask real` does instead of the measured run: the program's
    /// own tests, where it has some for threads.
    pub(crate) tests: Option<&'static str>,
}
