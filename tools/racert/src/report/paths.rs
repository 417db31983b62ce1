//! Names of source files as other tools want them.

use std::path::{Path, PathBuf};

/// The top of the source tree.
#[derive(Debug, Clone)]
pub(crate) struct Root(PathBuf);

impl Root {
    /// A tree whose top is `top`, an absolute path.
    pub(crate) fn new(top: PathBuf) -> Self {
        Root(top)
    }

    /// The top.
    pub(crate) fn top(&self) -> &Path {
        &self.0
    }

    /// `file` seen from the top; as it is if it lies elsewhere.
    pub(crate) fn relative<'a>(&self, file: &'a str) -> &'a str {
        match Path::new(file).strip_prefix(&self.0) {
            Ok(rest) => rest
                .to_str()
                .filter(|rest| !rest.is_empty())
                .unwrap_or(file),
            Err(_) => file,
        }
    }
}

/// `path` as a URI: relative if `path` is.
pub(crate) fn uri(path: &str) -> String {
    let mut uri = String::new();
    if path.starts_with('/') {
        uri.push_str("file://");
    }
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' | b'+' => {
                uri.push(byte as char);
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn below_the_top_and_elsewhere() {
        let root = Root::new("/home/me/project".into());
        assert_eq!(root.relative("/home/me/project/src/a.c"), "src/a.c");
        assert_eq!(
            root.relative("/home/me/project2/a.c"),
            "/home/me/project2/a.c"
        );
        assert_eq!(root.relative("src/a.c"), "src/a.c");
    }

    #[test]
    fn uris() {
        assert_eq!(uri("src/a b%.c"), "src/a%20b%25.c");
        assert_eq!(uri("/usr/é"), "file:///usr/%C3%A9");
    }
}
