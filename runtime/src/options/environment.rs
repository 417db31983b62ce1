//! The environment, read without libc's `getenv`.
//!
//! The runtime may start before libc is ready and the program may replace
//! `getenv`, so this looks at `environ` itself, or at the kernel's copy while
//! `environ` is not set up yet. In a set-uid program the variables come from
//! somebody with fewer rights than the program has: they count as absent.

use crate::os;
use alloc::string::String;
use alloc::vec::Vec;
use core::ffi::{CStr, c_char};

unsafe extern "C" {
    static environ: *const *const c_char;
}

/// `NAME=value` strings.
pub struct Environment(Vec<Vec<u8>>);

impl Environment {
    /// The environment of this process.
    pub fn of_process() -> Environment {
        if os::is_set_uid() {
            return Environment(Vec::new());
        }
        // SAFETY: the symbol is libc's; only its value is copied.
        let mut entry = unsafe { (&raw const environ).read_volatile() };
        if entry.is_null() {
            let kernel = os::File::open(b"/proc/self/environ").and_then(|file| file.read_to_end());
            return Environment::from_block(&kernel.unwrap_or_default());
        }
        let mut variables = Vec::new();
        // SAFETY: a null-terminated array of C strings that nobody changes
        // before the program's own code runs.
        unsafe {
            while !(*entry).is_null() {
                let text = CStr::from_ptr(*entry).to_bytes();
                if Self::of_interest(text) {
                    variables.push(text.to_vec());
                }
                entry = entry.add(1);
            }
        }
        Environment(variables)
    }

    /// Strings that each end in a zero byte.
    fn from_block(block: &[u8]) -> Environment {
        let strings = block.split(|byte| *byte == 0);
        Environment(
            strings
                .filter(|text| Self::of_interest(text))
                .map(<[u8]>::to_vec)
                .collect(),
        )
    }

    /// The rest of an environment can be large and is nobody's business here.
    fn of_interest(text: &[u8]) -> bool {
        const PREFIXES: [&[u8]; 7] = [
            b"RACERT_",
            b"TSAN_OPTIONS=",
            b"NO_COLOR=",
            b"TERM=",
            b"DEBUGINFOD_CACHE_PATH=",
            b"XDG_CACHE_HOME=",
            b"HOME=",
        ];
        PREFIXES.iter().any(|prefix| text.starts_with(prefix))
    }

    /// The value of `name`; of several the first, as in libc. Bytes that are
    /// not UTF-8 become replacement characters.
    pub fn get(&self, name: &str) -> Option<String> {
        self.0.iter().find_map(|text| {
            let value = text.strip_prefix(name.as_bytes())?.strip_prefix(b"=")?;
            Some(String::from_utf8_lossy(value).into_owned())
        })
    }
}

#[cfg(test)]
impl Environment {
    /// An environment made by hand.
    pub(crate) fn from_pairs(pairs: &[(&str, &str)]) -> Environment {
        let pairs = pairs.iter();
        Environment(pairs.map(|(k, v)| format!("{k}={v}").into()).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn from_the_kernels_block() {
        let block = b"LANG=C\0RACERT_OPTIONS=a=b\0RACERT_OPTIONSX=1\0TERM=dumb\0\0";
        let environment = Environment::from_block(block);
        assert_eq!(environment.get("RACERT_OPTIONS").as_deref(), Some("a=b"));
        assert_eq!(environment.get("TERM").as_deref(), Some("dumb"));
        assert_eq!(environment.get("RACERT_OPTION"), None);
        assert_eq!(environment.get("LANG"), None);
    }

    #[test]
    fn of_this_process() {
        let environment = Environment::of_process();
        assert_eq!(environment.get("TERM"), std::env::var("TERM").ok());
    }

    #[test]
    fn bytes_that_are_not_text() {
        let environment = Environment::from_block(b"RACERT_OPTIONS=\xff=1\0");
        assert_eq!(
            environment.get("RACERT_OPTIONS").as_deref(),
            Some("\u{fffd}=1")
        );
    }
}
