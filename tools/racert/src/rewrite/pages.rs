//! Memory that is not wanted any more.
//!
//! The kernel brings pages of code in by sixteen. Those that reading the command
//! line took are more than what it takes to rewrite a small library; who needs
//! one again gets it from the page cache. And what the work needs for one
//! function, or one step, is to go back at once.

use std::fs;

/// Allocations of this size have pages of their own.
const LARGE: libc::c_int = 32 << 10;
/// What the heap grows by beyond need.
const PAD: libc::c_int = 4 << 10;

/// Makes the heap give back what is freed.
pub(super) fn keep_heap_small() {
    // SAFETY: the functions of the C library take any value.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE);
        libc::mallopt(libc::M_TOP_PAD, PAD);
    }
}

/// Gives back the pages of code that are in memory.
pub(super) fn give_back_code() {
    // Without the list everything stays where it is.
    let Ok(maps) = fs::read_to_string("/proc/self/maps") else {
        return;
    };
    for (start, len) in maps.lines().filter_map(code) {
        // SAFETY: code of a file that nobody has changed, or the kernel would
        // call it writable: the next access reads it from the file again.
        unsafe { libc::madvise(start as *mut libc::c_void, len, libc::MADV_DONTNEED) };
    }
}

/// Start and length of the mapping in a line of the list, if it is code of a
/// file.
fn code(line: &str) -> Option<(usize, usize)> {
    let mut fields = line.split_ascii_whitespace();
    let (start, end) = fields.next()?.split_once('-')?;
    let is_code = fields.next()? == "r-xp" && fields.nth(3)?.starts_with('/');
    let start = usize::from_str_radix(start, 16).ok()?;
    let end = usize::from_str_radix(end, 16).ok()?;
    is_code.then_some((start, end - start))
}

#[cfg(test)]
mod tests {
    use super::code;

    #[test]
    fn code_of_files_only() {
        let line =
            |rights: &str, path: &str| format!("1000-3000 {rights} 00001000 08:01 42 {path}");
        assert_eq!(code(&line("r-xp", "/bin/racert")), Some((0x1000, 0x2000)));
        for (rights, path) in [
            ("r--p", "/bin/racert"),
            ("rwxp", "/a"),
            ("r-xp", "[vdso]"),
            ("r-xp", ""),
        ] {
            assert_eq!(code(&line(rights, path)), None);
        }
    }
}
