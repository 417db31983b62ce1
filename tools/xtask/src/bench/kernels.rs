//! The kernels: small programs written for this comparison, one file each.

use std::path::{Path, PathBuf};

/// A kernel of `tests/bench/kernels/`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Kernel {
    /// The file name without its ending.
    pub(super) name: &'static str,
    /// What it exercises.
    pub(super) about: &'static str,
    /// Whether it is C++.
    pub(super) cpp: bool,
}

const fn c(name: &'static str, about: &'static str) -> Kernel {
    Kernel {
        name,
        about,
        cpp: false,
    }
}

const fn cpp(name: &'static str, about: &'static str) -> Kernel {
    Kernel {
        name,
        about,
        cpp: true,
    }
}

/// Every kernel, in the order of the table.
pub(super) const KERNELS: &[Kernel] = &[
    c("seq_read", "sequential 8-byte reads"),
    c("seq_write", "sequential 8-byte writes"),
    c("random_read", "random 4- and 8-byte reads"),
    c("random_write", "random 4- and 8-byte writes"),
    c("bytes", "text a byte at a time"),
    c("vector_float", "vectorised float loops"),
    c("memcpy", "copies, moves and fills"),
    c("private_heap", "trees and lists of one thread"),
    c("shared_table", "a table all threads read"),
    c("mutex_uncontended", "locks nobody else wants"),
    c("mutex_contended", "one lock for all"),
    c("rwlock", "read-mostly read-write lock"),
    c("condvar", "condition variable ping-pong"),
    c("atomics_acqrel", "acquire and release atomics"),
    c("atomics_relaxed", "relaxed counters"),
    c("malloc_free", "allocation and freeing"),
    c("recursion", "many small calls"),
    c("thread_create", "thread creation and joining"),
    cpp("pipeline", "staged pipeline, like dedup"),
    cpp("particles", "fine-grained locks, like fluidanimate"),
    c("monte_carlo", "simulated paths, like swaptions"),
    cpp("cluster", "clustering, like streamcluster"),
    cpp("hash_map", "hash map behind striped locks"),
];

impl Kernel {
    /// The kernel of that name.
    pub(super) fn find(name: &str) -> Option<&'static Kernel> {
        KERNELS.iter().find(|kernel| kernel.name == name)
    }

    /// Its source file.
    pub(super) fn source(&self, sources: &Path) -> PathBuf {
        let ending = if self.cpp { "cpp" } else { "c" };
        sources
            .join("kernels")
            .join(format!("{}.{ending}", self.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// A kernel on disk that the table forgets would never be measured.
    #[test]
    fn the_table_and_the_folder_agree() {
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/bench");
        let listed: BTreeSet<PathBuf> = KERNELS.iter().map(|k| k.source(&sources)).collect();
        let found: BTreeSet<PathBuf> = std::fs::read_dir(sources.join("kernels"))
            .expect("the kernels are in the repository")
            .map(|entry| entry.expect("readable").path())
            .collect();
        assert_eq!(listed, found);
    }
}
