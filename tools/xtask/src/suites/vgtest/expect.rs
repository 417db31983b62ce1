//! What a valgrind test expects, by outcome: the classes of the messages in
//! its expected output.

use std::collections::BTreeSet;
use std::path::Path;

use crate::suites::class::{self, Class};
use crate::suites::program::read_lossy;

/// Endings of expected outputs written for other systems.
const OTHER_SYSTEMS: [&str; 9] = [
    "darwin",
    "freebsd",
    "solaris",
    "mips",
    "ppc",
    "powerpc",
    "s390",
    "32bit",
    "linuxthreads",
];

/// The classes the test `name` in `folder` expects; `None` if it has no
/// expected output. Where there are several, one for each version of the C
/// library, each class in any of them counts.
pub(super) fn classes(folder: &Path, name: &str) -> Option<BTreeSet<Class>> {
    let start = format!("{name}.stderr.exp");
    let mut found = None;
    for entry in std::fs::read_dir(folder).ok()?.flatten() {
        let file = entry.file_name().to_string_lossy().into_owned();
        let Some(ending) = file.strip_prefix(&start) else {
            continue;
        };
        if OTHER_SYSTEMS.iter().any(|system| ending.contains(system)) {
            continue;
        }
        let text = read_lossy(&entry.path());
        let classes: &mut BTreeSet<Class> = found.get_or_insert_default();
        classes.extend(text.lines().filter_map(class::of_valgrind_line));
        if classes.is_empty() && counts_errors(&text) {
            classes.insert(Class::Race);
        }
    }
    found
}

/// A summary that counts errors without showing them. The suites use that for
/// races only, of which one run has more than another.
fn counts_errors(text: &str) -> bool {
    text.lines().any(|line| {
        line.split_once("ERROR SUMMARY: ")
            .is_some_and(|(_, rest)| !rest.starts_with("0 errors"))
    })
}
