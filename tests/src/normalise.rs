//! Takes out of a report what changes from run to run or machine to machine.
//!
//! Left is what a golden file can hold: kinds, sizes, functions, file names,
//! lines, columns, variables and the shape of the report.

/// Digits of the hash in a compiled scenario's name.
const HASH_DIGITS: usize = 16;

/// The report with addresses, process and thread ids, descriptors, build ids, offsets into
/// modules and folders replaced by fixed words. Whether a thread has ended by
/// the time of the report is left to chance, and so replaced too, as are the
/// hashes that compiled scenarios have in their names.
pub fn normalise(report: &str) -> String {
    let mut text = String::with_capacity(report.len());
    for line in report.lines() {
        text.push_str(&normalise_line(line));
        text.push('\n');
    }
    text
}

fn normalise_line(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line.trim_end();
    while let Some(first) = rest.chars().next() {
        let previous = out.chars().next_back();
        let taken = replacement(rest, previous);
        match taken {
            Some((length, word)) => {
                out.push_str(&word);
                rest = &rest[length..];
            }
            None => {
                out.push(first);
                rest = &rest[first.len_utf8()..];
            }
        }
    }
    out
}

/// How many bytes at the start of `rest` to replace, and by what.
fn replacement(rest: &str, previous: Option<char>) -> Option<(usize, String)> {
    let after_word = previous.is_some_and(|c| c.is_alphanumeric() || c == '_');
    if !after_word {
        let numbered = [
            ("pid=", "PID"),
            ("tid=", "TID"),
            ("os id ", "ID"),
            ("file descriptor ", "N"),
            // What libc had put there before.
            ("([heap]), offset ", "N"),
        ];
        for (key, word) in numbered {
            if let Some(digits) = rest.strip_prefix(key).map(count_digits).filter(|&n| n > 0) {
                return Some((key.len() + digits, format!("{key}{word}")));
            }
        }
        for key in ["BuildId: ", "build id "] {
            if let Some(id) = rest.strip_prefix(key) {
                let digits = id.chars().take_while(char::is_ascii_hexdigit).count();
                return Some((key.len() + digits, format!("{key}ID")));
            }
        }
    }
    for state in ["running", "finished"] {
        if rest.strip_prefix(state).is_some_and(|r| r.starts_with(')')) && previous == Some(' ') {
            return Some((state.len(), "STATE".to_owned()));
        }
    }
    if let Some(hash) = rest.strip_prefix('-') {
        let digits = hash.chars().take_while(char::is_ascii_hexdigit).count();
        if digits == HASH_DIGITS {
            return Some((1 + digits, "-HASH".to_owned()));
        }
    }
    if let Some(digits) = rest.strip_prefix("0x") {
        let count = digits.chars().take_while(char::is_ascii_hexdigit).count();
        if count > 0 && !after_word {
            let word = if previous == Some('+') {
                "OFFSET"
            } else {
                "ADDRESS"
            };
            return Some((2 + count, word.to_owned()));
        }
    }
    folder(rest, previous)
}

fn count_digits(text: &str) -> usize {
    text.chars().take_while(char::is_ascii_digit).count()
}

/// An absolute path loses its folders. Paths in reports hold no blanks.
fn folder(rest: &str, previous: Option<char>) -> Option<(usize, String)> {
    let starts = rest.starts_with('/')
        && previous.is_none_or(|c| c.is_whitespace() || matches!(c, '(' | '"' | '\'' | '<'));
    if !starts {
        return None;
    }
    let end = rest.find(|c: char| c.is_whitespace() || matches!(c, ')' | '"' | '\'' | '>'));
    let path = &rest[..end.unwrap_or(rest.len())];
    let last = path.rfind('/').filter(|&at| at + 1 < path.len())?;
    Some((last, "DIR".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::normalise;

    #[test]
    fn a_stack_line() {
        let line = "    #0 write_it /home/me/src/int_race.c:10:10 (prog+0xe9446) (BuildId: d039d7)";
        let want = "    #0 write_it DIR/int_race.c:10:10 (prog+OFFSET) (BuildId: ID)\n";
        assert_eq!(normalise(line), want);
    }

    #[test]
    fn addresses_and_ids() {
        assert_eq!(
            normalise("Write of size 4 at 0x5587849e9758 by thread T2 (tid=4803, pid=17)  "),
            "Write of size 4 at ADDRESS by thread T2 (tid=TID, pid=PID)\n"
        );
        assert_eq!(
            normalise("Thread T1 (os id 23499, finished) (build id 289ee39f8c)"),
            "Thread T1 (os id ID, STATE) (build id ID)\n"
        );
        assert_eq!(
            normalise("(/a/libcounter-c-a6db60529532ad2d+0x10)"),
            "(DIR/libcounter-c-HASH+OFFSET)\n"
        );
    }

    #[test]
    fn what_a_reader_needs_stays() {
        let text = "SUMMARY: racert: data race a/b.c:3:7 in f<0x>(int) rapid=3 x / y\n";
        assert_eq!(normalise(text), text);
    }

    #[test]
    fn different_runs_become_equal() {
        let one = "WARNING: racert: data race (pid=1)\n at 0x10 /a/b/c.c:1 '/x/y.so'\n";
        let two = "WARNING: racert: data race (pid=22)\n at 0xfff0 /d/c.c:1 '/q/r/y.so'\n";
        assert_eq!(normalise(one), normalise(two));
    }
}
