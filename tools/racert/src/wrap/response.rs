//! Response files: `@file` stands for the arguments written in `file`.
//!
//! They are opened only to learn what the invocation is; clang gets the
//! original `@file`, because the expansion may exceed what the kernel passes.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

/// Response files may name others; deeper than this is taken for a cycle.
const MAX_DEPTH: u32 = 16;

/// All arguments with every readable response file replaced by its contents.
///
/// A file that cannot be read stays as it is: clang then says so itself.
pub(crate) fn expand(args: &[OsString]) -> Vec<OsString> {
    let mut out = Vec::with_capacity(args.len());
    for arg in args {
        expand_into(arg, 0, &mut out);
    }
    out
}

fn expand_into(arg: &OsStr, depth: u32, out: &mut Vec<OsString>) {
    let contents = match arg.as_bytes().strip_prefix(b"@") {
        Some(path) if depth < MAX_DEPTH => std::fs::read(Path::new(OsStr::from_bytes(path))).ok(),
        _ => None,
    };
    match contents {
        Some(contents) => {
            for word in split(&contents) {
                expand_into(&word, depth + 1, out);
            }
        }
        None => out.push(arg.to_owned()),
    }
}

/// Splits by the GNU rules: blanks separate, both quotes group, a backslash
/// takes the next byte literally everywhere but inside single quotes.
fn split(text: &[u8]) -> Vec<OsString> {
    let mut words = Vec::new();
    let mut word: Option<Vec<u8>> = None;
    let mut quote: Option<u8> = None;
    let mut bytes = text.iter().copied();
    while let Some(byte) = bytes.next() {
        match (quote, byte) {
            (Some(b'"') | None, b'\\') => {
                if let Some(next) = bytes.next() {
                    word.get_or_insert_default().push(next);
                }
            }
            (Some(open), _) if open == byte => quote = None,
            (Some(_), _) => word.get_or_insert_default().push(byte),
            (None, b'"' | b'\'') => {
                word.get_or_insert_default();
                quote = Some(byte);
            }
            (None, b' ' | b'\t' | b'\n' | b'\r' | b'\x0b' | b'\x0c') => {
                words.extend(word.take().map(OsString::from_vec));
            }
            (None, _) => word.get_or_insert_default().push(byte),
        }
    }
    words.extend(word.map(OsString::from_vec));
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_as_the_gnu_tools_do() {
        let words = split(b"-c 'a b.c' \"x\\\"y\"\n-DX=\\ 1 '' '\\n'");
        assert_eq!(words, ["-c", "a b.c", "x\"y", "-DX= 1", "", "\\n"]);
    }

    #[test]
    fn nested_files_are_opened_and_missing_ones_kept() {
        let dir = std::env::temp_dir().join(format!("racert-response-{}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        let inner = dir.join("inner");
        let outer = dir.join("outer");
        std::fs::write(&inner, "-shared b.o").unwrap();
        std::fs::write(&outer, format!("a.o @{}", inner.display())).unwrap();
        let args = [
            format!("@{}", outer.display()).into(),
            OsString::from("@/does/not/exist"),
        ];
        assert_eq!(expand(&args), ["a.o", "-shared", "b.o", "@/does/not/exist"]);
        std::fs::remove_dir_all(&dir).unwrap();
    }

    #[test]
    fn a_file_that_names_itself_ends() {
        let file = std::env::temp_dir().join(format!("racert-cycle-{}", std::process::id()));
        std::fs::write(&file, format!("-c @{}", file.display())).unwrap();
        let expanded = expand(&[format!("@{}", file.display()).into()]);
        assert_eq!(
            expanded.iter().filter(|a| *a == "-c").count(),
            MAX_DEPTH as usize
        );
        std::fs::remove_file(&file).unwrap();
    }
}
