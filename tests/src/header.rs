//! The header of a scenario: `// key: value` lines at the top of the file.
//!
//! | key | meaning |
//! |---|---|
//! | `expect` | finding kinds separated by commas, or `none` |
//! | `expect MODE` | what to expect in that mode, where it differs |
//! | `advice` | titles of advice separated by commas; default: none may be given |
//! | `orders` | names passed as first argument, one case each; default: no argument |
//! | `opt` | optimisation levels; default `O0 O1 O2` |
//! | `also` | `c++`: compile this C file as C++ too |
//! | `modes` | values of `mode=`; default: the detector's own, [`DEFAULT_MODE`] |
//! | `flags` | extra compiler and linker flags; `{llvm}` stands for the major version of LLVM |
//! | `needs` | headers separated by blanks without which the scenario is skipped; the `flags` of `pkg-config` go by `{pkg:NAME}` |
//! | `options` | value of `RACERT_OPTIONS` beside the mode |
//! | `library` | `linked FILE` or `dlopen FILE`: instrumented shared library beside it; `plain FILE`: linked, and without checks |
//! | `with` | further sources of the same program, beside it, separated by blanks |
//! | `names` | words separated by commas that the report must contain |
//! | `reports` | number of reports, or `any`; default: one for each kind expected |
//! | `exit` | exit code; default 66 when a proven finding is expected, else 0 |
//! | `stderr` | `closed` when the program takes its report's descriptor away |
//! | `timeout` | seconds for one run; default 300 |
//! | `tsan` | `misses`, `false alarm` or `skip`, then the reason: a known difference |
//!
//! In the body, a line that ends in `// here` must appear in the report as
//! `file:line`; `// here: ORDER...` limits that to the orders named.

use std::fmt::Display;

use crate::execute::HUNG;

/// The mode a program runs in that nobody asked for another.
pub const DEFAULT_MODE: &str = "hybrid";

/// How a shared library of a scenario gets into the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loading {
    /// On the link line.
    Linked,
    /// On the link line, compiled without a detector.
    Plain,
    /// By `dlopen`; its path is the macro `LIBRARY_PATH`.
    Dlopen,
}

/// A difference from ThreadSanitizer that is known and explained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KnownDifference {
    /// It stays silent, at least sometimes.
    Misses,
    /// It reports a race where there is none.
    FalseAlarm,
    /// It cannot run the scenario at all.
    Skip,
}

/// A line that must be named by the report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marker {
    /// Line number, from 1.
    pub line: usize,
    /// Orders in which it must be named; empty: in all.
    pub orders: Vec<String>,
}

/// Everything a scenario says about itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// Kinds of finding expected; empty: none.
    pub expect: Vec<String>,
    /// Kinds expected in modes that differ from the others.
    pub expect_in: Vec<(String, Vec<String>)>,
    /// Advice expected; empty: none.
    pub advice: Vec<String>,
    /// Orders of execution, by name.
    pub orders: Vec<String>,
    /// Optimisation levels, without the dash.
    pub opt: Vec<String>,
    /// Whether a C file is compiled as C++ too.
    pub also_cxx: bool,
    /// Values of the detector's `mode=` option.
    pub modes: Vec<String>,
    /// Extra flags of the compiler.
    pub flags: Vec<String>,
    /// Headers that may not be there.
    pub needs: Vec<String>,
    /// Options of the detector.
    pub options: Option<String>,
    /// A shared library, by file name in the scenario's folder.
    pub library: Option<(Loading, String)>,
    /// Further sources, by file name in the scenario's folder.
    pub with: Vec<String>,
    /// Words the report must contain.
    pub names: Vec<String>,
    /// Number of reports; `None`: any number from one.
    pub reports: Option<usize>,
    /// Exit code of the program, where the findings do not say.
    pub exit: Option<i32>,
    /// The report cannot be seen, only the exit code.
    pub stderr_closed: bool,
    /// Seconds that one run may take.
    pub timeout: u64,
    /// What ThreadSanitizer is known to do otherwise.
    pub tsan: Option<KnownDifference>,
    /// Lines that the report must name.
    pub markers: Vec<Marker>,
}

fn words(value: &str) -> Vec<String> {
    value.split_whitespace().map(str::to_owned).collect()
}

fn listed(value: &str) -> Vec<String> {
    value
        .split(',')
        .map(|word| word.trim().to_owned())
        .filter(|word| !word.is_empty())
        .collect()
}

fn number<T: std::str::FromStr>(key: &str, value: &str) -> Result<T, String>
where
    T::Err: Display,
{
    value
        .parse()
        .map_err(|error| format!("{key}: '{value}': {error}"))
}

fn library(value: &str) -> Result<(Loading, String), String> {
    match value.split_once(' ') {
        Some(("linked", file)) => Ok((Loading::Linked, file.trim().to_owned())),
        Some(("plain", file)) => Ok((Loading::Plain, file.trim().to_owned())),
        Some(("dlopen", file)) => Ok((Loading::Dlopen, file.trim().to_owned())),
        _ => Err(format!(
            "library: '{value}': want 'linked FILE', 'plain FILE' or 'dlopen FILE'"
        )),
    }
}

fn known_difference(value: &str) -> Result<KnownDifference, String> {
    let forms = [
        ("misses", KnownDifference::Misses),
        ("false alarm", KnownDifference::FalseAlarm),
        ("skip", KnownDifference::Skip),
    ];
    for (form, difference) in forms {
        if let Some(reason) = value.strip_prefix(form) {
            if reason.trim_start_matches([':', ',', ' ']).is_empty() {
                return Err(format!("tsan: '{value}' gives no reason"));
            }
            return Ok(difference);
        }
    }
    Err(format!(
        "tsan: '{value}': want 'misses', 'false alarm' or 'skip', and a reason"
    ))
}

fn marker(line: usize, text: &str) -> Option<Marker> {
    let (_, rest) = text.rsplit_once("// here")?;
    if rest.is_empty() {
        return Some(Marker {
            line,
            orders: Vec::new(),
        });
    }
    Some(Marker {
        line,
        orders: words(rest.strip_prefix(':')?),
    })
}

fn kinds(value: &str) -> Vec<String> {
    match value {
        "none" => Vec::new(),
        kinds => listed(kinds),
    }
}

impl Header {
    /// What is expected in a mode, where the header names it.
    fn exception(&self, mode: Option<&str>) -> Option<&[String]> {
        let mode = mode.unwrap_or(DEFAULT_MODE);
        let of_mode = self.expect_in.iter().find(|(name, _)| name == mode);
        of_mode.map(|(_, kinds)| &kinds[..])
    }

    /// The kinds of finding expected in a mode; `None`: in the default one.
    pub fn expected(&self, mode: Option<&str>) -> &[String] {
        self.exception(mode).unwrap_or(&self.expect)
    }

    /// The number of reports expected in a mode; `None`: any from one.
    pub fn expected_reports(&self, mode: Option<&str>) -> Option<usize> {
        match self.exception(mode) {
            Some(kinds) => self.reports.map(|_| kinds.len()),
            None => self.reports,
        }
    }

    /// The exit code expected in a mode. What this run does not prove does
    /// not change it.
    pub fn expected_exit(&self, mode: Option<&str>) -> i32 {
        let proven = |kind: &String| !kind.starts_with("possible ");
        let found = self.expected(mode).iter().any(proven);
        self.exit.unwrap_or(if found { 66 } else { 0 })
    }

    /// Reads the header and the markers of a scenario's text.
    pub fn parse(text: &str) -> Result<Header, String> {
        let mut header = Header {
            expect: Vec::new(),
            expect_in: Vec::new(),
            advice: Vec::new(),
            orders: Vec::new(),
            opt: words("O0 O1 O2"),
            also_cxx: false,
            modes: Vec::new(),
            flags: Vec::new(),
            needs: Vec::new(),
            options: None,
            library: None,
            with: Vec::new(),
            names: Vec::new(),
            reports: Some(0),
            exit: None,
            stderr_closed: false,
            timeout: HUNG.as_secs(),
            tsan: None,
            markers: Vec::new(),
        };
        let mut lines = text.lines().map_while(|line| line.strip_prefix("// "));
        let Some(expect) = lines.next().and_then(|line| line.strip_prefix("expect: ")) else {
            return Err("the first line is not '// expect: ...'".to_owned());
        };
        header.expect = kinds(expect);
        header.reports = Some(header.expect.len());
        for line in lines {
            let Some((key, value)) = line.split_once(": ") else {
                break;
            };
            if let Some(mode) = key.strip_prefix("expect ") {
                header.expect_in.push((mode.to_owned(), kinds(value)));
                continue;
            }
            match key {
                "advice" => header.advice = listed(value),
                "orders" => header.orders = words(value),
                "opt" => header.opt = words(value),
                "also" if value == "c++" => header.also_cxx = true,
                "modes" => header.modes = words(value),
                "flags" => header.flags = words(value),
                "needs" => header.needs = words(value),
                "options" => header.options = Some(value.to_owned()),
                "library" => header.library = Some(library(value)?),
                "with" => header.with = words(value),
                "names" => header.names = listed(value),
                "reports" if value == "any" => header.reports = None,
                "reports" => header.reports = Some(number(key, value)?),
                "exit" => header.exit = Some(number(key, value)?),
                "stderr" if value == "closed" => header.stderr_closed = true,
                "timeout" => header.timeout = number(key, value)?,
                "tsan" => header.tsan = Some(known_difference(value)?),
                _ => return Err(format!("header line '{line}' means nothing")),
            }
        }
        header.markers = text
            .lines()
            .enumerate()
            .filter_map(|(i, line)| marker(i + 1, line))
            .collect();
        for order in header.markers.iter().flat_map(|marker| &marker.orders) {
            if !header.orders.contains(order) {
                return Err(format!(
                    "a marker names the order '{order}', which the header lacks"
                ));
            }
        }
        Ok(header)
    }
}

#[cfg(test)]
mod tests {
    use super::{Header, KnownDifference, Loading};

    #[test]
    fn advice_is_no_finding() {
        let text = "// expect: none\n// advice: wait outside, signal\n";
        let header = Header::parse(text).unwrap();
        assert_eq!(header.advice, ["wait outside", "signal"]);
        assert_eq!((header.expected_exit(None), header.reports), (0, Some(0)));
    }

    #[test]
    fn race_header_with_markers() {
        let text = "// expect: data race\n// orders: a b\n// tsan: misses, cell eviction\n\
                    // names: x, y\nint x;\nx = 1; // here\nx = 2; // here: b\n";
        let header = Header::parse(text).unwrap();
        assert_eq!(header.expect, ["data race"]);
        assert_eq!((header.expected_exit(None), header.reports), (66, Some(1)));
        assert_eq!(header.tsan, Some(KnownDifference::Misses));
        assert_eq!(header.names, ["x", "y"]);
        assert_eq!(header.markers.len(), 2);
        assert_eq!(
            (header.markers[1].line, header.markers[1].orders.len()),
            (7, 1)
        );
    }

    #[test]
    fn quiet_header() {
        let header =
            Header::parse("// expect: none\n// library: dlopen p.c\n// exit: 3\n").unwrap();
        assert_eq!((header.expected_exit(None), header.reports), (3, Some(0)));
        assert_eq!(header.library, Some((Loading::Dlopen, "p.c".to_owned())));
    }

    #[test]
    fn modes_may_differ() {
        let text = "// expect: possible data race\n// expect hb: none\n// modes: hb\n";
        let header = Header::parse(text).unwrap();
        assert_eq!(header.expected(None), ["possible data race"]);
        assert!(header.expected(Some("hb")).is_empty());
        assert_eq!(header.expected_reports(Some("hb")), Some(0));
        assert_eq!(header.expected_exit(Some("hybrid")), 0);
        let text = "// expect: none\n// expect hybrid: possible data race\n";
        let header = Header::parse(text).unwrap();
        assert_eq!(header.expected(None), ["possible data race"]);
        assert_eq!(header.expected_reports(None), Some(1));
        assert!(header.expected(Some("hb")).is_empty());
    }

    #[test]
    fn mistakes_are_refused() {
        for text in [
            "int x;\n",
            "// expect: none\n// oder: a\n",
            "// expect: none\n// tsan: misses\n",
            "// expect: none\n// timeout: soon\n",
            "// expect: data race\n// orders: a\nx = 1; // here: b\n",
        ] {
            assert!(Header::parse(text).is_err(), "{text}");
        }
    }
}
