//! Paths in debug information.

use crate::os::File;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// The folder part of a path, without the last slash.
pub(super) fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// `name` as seen from `base`.
pub(super) fn join(base: &str, name: &str) -> String {
    if name.starts_with('/') || base.is_empty() {
        return name.into();
    }
    format!("{}/{name}", base.trim_end_matches('/'))
}

/// `path` without its detours, if that is a file: behind a symbolic link,
/// `a/b/..` need not be `a`.
pub(super) fn tidy(path: &str) -> String {
    if path.contains("/../") || path.contains("/./") {
        let short = without_detours(path);
        if File::open(short.as_bytes()).is_ok() {
            return short;
        }
    }
    path.into()
}

fn without_detours(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "." => {}
            ".." if parts.last().is_some_and(|last| !["", ".."].contains(last)) => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined_and_split() {
        assert_eq!(join("/a/", "b/c"), "/a/b/c");
        assert_eq!(join("/a", "/b"), "/b");
        assert_eq!(join("", "b"), "b");
        assert_eq!(folder("/a/b/c"), "/a/b");
        assert_eq!(folder("c"), "");
    }

    #[test]
    fn detours() {
        assert_eq!(without_detours("/a/b/../c/./d"), "/a/c/d");
        assert_eq!(without_detours("/../a"), "/../a");
        assert_eq!(without_detours("../../a/.."), "../..");
        assert_eq!(tidy("/proc/self/../self/./maps"), "/proc/self/maps");
        assert_eq!(tidy("/nowhere/x/../y"), "/nowhere/x/../y");
    }
}
