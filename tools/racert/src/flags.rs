//! `racert flags`: what the wrappers add, for builds that call clang itself.

use std::ffi::OsString;

use crate::cli::FlagsArgs;
use crate::error::Result;
use crate::layout::Layout;
use crate::wrap::clang::{self, Driver};
use crate::wrap::{compile, link};

/// Prints the flags on one line, quoted for a shell.
pub(crate) fn print(args: &FlagsArgs) -> Result<()> {
    let layout = Layout::find()?;
    let driver = if args.cxx { Driver::Cxx } else { Driver::C };
    let mut flags = Vec::new();
    if args.cflags {
        flags.extend(compile::flags(&clang::find(driver, &layout)?, &layout));
    }
    if args.ldflags {
        flags.extend(link::executable(&layout, true));
    }
    println!("{}", flags.iter().map(quoted).collect::<Vec<_>>().join(" "));
    Ok(())
}

fn quoted(word: &OsString) -> String {
    let text = word.to_string_lossy();
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=+./,:@%".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        text.into_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_survive_a_shell() {
        assert_eq!(quoted(&"-I/usr/include".into()), "-I/usr/include");
        assert_eq!(quoted(&"/with space/it's".into()), r"'/with space/it'\''s'");
        assert_eq!(quoted(&"".into()), "''");
    }
}
