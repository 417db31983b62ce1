//! The conditions under which a lit test runs.

/// The target lit would name on this kind of machine.
const TARGET: &str = "x86_64-pc-linux-gnu";

/// What this machine offers, in lit's words.
#[derive(Debug, Clone)]
pub(super) struct Features {
    glibc: (u32, u32),
}

impl Features {
    /// Of the machine this runs on.
    pub(super) fn here() -> Self {
        let version =
            crate::process::output(std::process::Command::new("getconf").arg("GNU_LIBC_VERSION"));
        let number = version
            .as_deref()
            .and_then(|text| text.trim().strip_prefix("glibc "));
        Self {
            glibc: number.and_then(parse_version).unwrap_or((2, 31)),
        }
    }

    fn has(&self, name: &str) -> bool {
        if let Some(pattern) = name.strip_prefix("target=") {
            return target_matches(pattern);
        }
        if let Some(version) = name.strip_prefix("glibc-").and_then(parse_version) {
            return self.glibc >= version;
        }
        matches!(
            name,
            "*" | "linux"
                | "x86_64-linux"
                | "x86_64-target-arch"
                | "stable-runtime"
                | "shared_unwind"
                | "shell"
                | "clang"
                | "compiler-rt-optimized"
        )
    }

    /// Whether all of a comma-separated list of conditions hold.
    pub(super) fn all(&self, list: &str) -> bool {
        conditions(list).all(|condition| self.holds(condition))
    }

    /// Whether any of a comma-separated list of conditions holds.
    pub(super) fn any(&self, list: &str) -> bool {
        conditions(list).any(|condition| self.holds(condition))
    }

    fn holds(&self, condition: &str) -> bool {
        condition.split("||").any(|alternative| {
            alternative.split("&&").all(|term| {
                let term = term.trim();
                match term.strip_prefix('!') {
                    Some(name) => !self.has(name.trim()),
                    None => self.has(term),
                }
            })
        })
    }
}

fn conditions(list: &str) -> impl Iterator<Item = &str> {
    list.split(',')
        .map(str::trim)
        .filter(|part| !part.is_empty())
}

fn parse_version(text: &str) -> Option<(u32, u32)> {
    let (major, minor) = text.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}

/// lit's patterns: text with `{{.*}}` and `{{(a|b).*}}` in it. Only the words
/// matter here: a pattern names this target if one of its words does.
fn target_matches(pattern: &str) -> bool {
    pattern
        .split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-'))
        .any(|word| !word.is_empty() && TARGET.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn features() -> Features {
        Features { glibc: (2, 36) }
    }

    #[test]
    fn requirements() {
        assert!(features().all("linux, x86_64-target-arch"));
        assert!(features().all("glibc-2.30 || android-30"));
        assert!(!features().all("sunrpc"));
        assert!(!features().all("disabled"));
    }

    #[test]
    fn exclusions() {
        assert!(!features().any("darwin,target={{.*(netbsd|freebsd).*}}"));
        assert!(!features().any("glibc-2.38"));
        assert!(!features().any("!compiler-rt-optimized && ppc"));
        assert!(!features().any("target=powerpc64-unknown-linux-gnu{{.*}}"));
        assert!(features().any("target=x86_64{{.*}}"));
    }
}
