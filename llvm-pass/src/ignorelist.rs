//! The ignore list: which functions, sources and globals are left alone.
//!
//! The format is that of the sanitizers' special case lists, one entry a line:
//!
//! ```text
//! # a comment
//! [racert]
//! fun:legacy_*
//! src:third_party/*
//! global:statistics
//! ```
//!
//! Entries in front of the first section, and in sections whose name matches
//! `racert` or `thread`, count; other sections are for other tools and only
//! their syntax is checked. An entry may end in `=category`; the category is
//! ignored. A `*` matches any characters, `?` one, `[...]` a set, `{a,b}` an
//! alternative, and `\` takes the next character as it is.

use std::fmt;

/// The entries of one or more files.
#[derive(Debug, Default)]
pub(crate) struct IgnoreList {
    functions: Vec<Glob>,
    sources: Vec<Glob>,
    main_files: Vec<Glob>,
    globals: Vec<Glob>,
}

/// What is wrong with a file, and where.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Malformed {
    /// The file's name.
    pub(crate) file: String,
    /// Line, from 1.
    pub(crate) line: usize,
    /// Column, from 1.
    pub(crate) column: usize,
    /// What is wrong.
    pub(crate) problem: String,
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}:{}:{}: {}",
            self.file, self.line, self.column, self.problem
        )
    }
}

impl IgnoreList {
    /// Adds the entries of a file's text.
    pub(crate) fn add(&mut self, file: &str, text: &str) -> Result<(), Malformed> {
        let mut ours = true;
        for (index, full) in text.lines().enumerate() {
            let trimmed = full.trim();
            let indent = full.len() - full.trim_start().len();
            let fail = |at: usize, problem: String| Malformed {
                file: file.to_owned(),
                line: index + 1,
                column: full.get(..indent + at).map_or(1, |s| s.chars().count()) + 1,
                problem,
            };
            if trimmed.is_empty() || trimmed.starts_with('#') {
                continue;
            }
            if let Some(section) = trimmed.strip_prefix('[') {
                let Some(name) = section.strip_suffix(']') else {
                    return Err(fail(
                        trimmed.len(),
                        "the section header lacks its ']'".into(),
                    ));
                };
                if name.is_empty() {
                    return Err(fail(1, "the section header is empty".into()));
                }
                let names: Result<Vec<Glob>, _> = name.split('|').map(Glob::new).collect();
                let names = names.map_err(|(at, problem)| fail(1 + at, problem))?;
                ours = names
                    .iter()
                    .any(|name| name.matches("racert") || name.matches("thread"));
                continue;
            }
            let Some((prefix, rest)) = trimmed.split_once(':') else {
                return Err(fail(
                    0,
                    format!("expected 'kind:pattern', found '{trimmed}'"),
                ));
            };
            let pattern = rest.split_once('=').map_or(rest, |(pattern, _)| pattern);
            if pattern.is_empty() {
                return Err(fail(
                    prefix.len() + 1,
                    format!("the pattern of '{prefix}:' is empty"),
                ));
            }
            let glob =
                Glob::new(pattern).map_err(|(at, problem)| fail(prefix.len() + 1 + at, problem))?;
            if !ours {
                continue;
            }
            match prefix {
                "fun" => self.functions.push(glob),
                "src" => self.sources.push(glob),
                "mainfile" => self.main_files.push(glob),
                "global" => self.globals.push(glob),
                _ => {
                    let known = "fun, src, mainfile and global";
                    return Err(fail(
                        0,
                        format!("unknown kind '{prefix}', known are {known}"),
                    ));
                }
            }
        }
        Ok(())
    }

    /// Whether anything at all is ignored.
    pub(crate) fn is_empty(&self) -> bool {
        self.functions.is_empty()
            && self.sources.is_empty()
            && self.main_files.is_empty()
            && self.globals.is_empty()
    }

    /// Whether a function of that (mangled) name is ignored.
    pub(crate) fn ignores_function(&self, name: &str) -> bool {
        self.functions.iter().any(|glob| glob.matches(name))
    }

    /// Whether code from that file is ignored.
    pub(crate) fn ignores_source(&self, file: &str) -> bool {
        self.sources
            .iter()
            .any(|glob| glob.matches(strip_dot(file)) || glob.matches(file))
    }

    /// Whether a compilation of that file is ignored as a whole.
    pub(crate) fn ignores_main_file(&self, file: &str) -> bool {
        self.ignores_source(file)
            || self
                .main_files
                .iter()
                .any(|g| g.matches(strip_dot(file)) || g.matches(file))
    }

    /// Whether accesses to that global are ignored.
    pub(crate) fn ignores_global(&self, name: &str) -> bool {
        self.globals.iter().any(|glob| glob.matches(name))
    }
}

fn strip_dot(file: &str) -> &str {
    file.strip_prefix("./").unwrap_or(file)
}

/// A pattern.
#[derive(Debug)]
struct Glob {
    alternatives: Vec<Vec<Piece>>,
}

#[derive(Debug, Clone)]
enum Piece {
    Literal(char),
    AnyOne,
    AnyMany,
    Set {
        negated: bool,
        ranges: Vec<(char, char)>,
    },
}

/// Alternatives one pattern may expand to.
const MAX_ALTERNATIVES: usize = 1024;

impl Glob {
    /// Parses a pattern. The error is a byte offset and what is wrong there.
    fn new(pattern: &str) -> Result<Glob, (usize, String)> {
        let mut alternatives = vec![Vec::new()];
        let mut rest = pattern;
        while let Some(c) = rest.chars().next() {
            let at = pattern.len() - rest.len();
            rest = &rest[c.len_utf8()..];
            let push = |alternatives: &mut Vec<Vec<Piece>>, piece: Piece| {
                for alternative in alternatives {
                    alternative.push(piece.clone());
                }
            };
            match c {
                '*' => push(&mut alternatives, Piece::AnyMany),
                '?' => push(&mut alternatives, Piece::AnyOne),
                '\\' => {
                    let Some(escaped) = rest.chars().next() else {
                        return Err((at, "the pattern ends in a lone '\\'".into()));
                    };
                    rest = &rest[escaped.len_utf8()..];
                    push(&mut alternatives, Piece::Literal(escaped));
                }
                '[' => {
                    let (set, length) = parse_set(rest)
                        .ok_or_else(|| (at, "the '[' has no matching ']'".to_owned()))?;
                    rest = &rest[length..];
                    push(&mut alternatives, set);
                }
                '{' => {
                    let Some(end) = rest.find('}') else {
                        return Err((at, "the '{' has no matching '}'".into()));
                    };
                    let mut expanded = Vec::new();
                    for choice in rest[..end].split(',') {
                        let inner = Glob::new(choice).map_err(|(o, p)| (at + 1 + o, p))?;
                        for head in &alternatives {
                            for tail in &inner.alternatives {
                                expanded.push(head.iter().chain(tail).cloned().collect());
                            }
                        }
                    }
                    if expanded.len() > MAX_ALTERNATIVES {
                        return Err((at, "the pattern has too many alternatives".into()));
                    }
                    alternatives = expanded;
                    rest = &rest[end + 1..];
                }
                literal => push(&mut alternatives, Piece::Literal(literal)),
            }
        }
        Ok(Glob { alternatives })
    }

    fn matches(&self, text: &str) -> bool {
        let text: Vec<char> = text.chars().collect();
        self.alternatives
            .iter()
            .any(|pieces| matches(pieces, &text))
    }
}

/// Parses the inside of `[...]`; returns the set and the bytes consumed.
fn parse_set(rest: &str) -> Option<(Piece, usize)> {
    let negated = rest.starts_with(['^', '!']);
    let body = &rest[usize::from(negated)..];
    // A ']' in the first place is part of the set.
    let first = body.chars().next()?.len_utf8();
    let end = first + body[first..].find(']')?;
    let chars: Vec<char> = body[..end].chars().collect();
    let mut ranges = Vec::new();
    let mut i = 0;
    while i < chars.len() {
        if i + 2 < chars.len() && chars[i + 1] == '-' {
            ranges.push((chars[i], chars[i + 2]));
            i += 3;
        } else {
            ranges.push((chars[i], chars[i]));
            i += 1;
        }
    }
    Some((
        Piece::Set { negated, ranges },
        usize::from(negated) + end + 1,
    ))
}

/// Matches with one point to come back to, the last `*`: linear in practice,
/// never exponential.
fn matches(pieces: &[Piece], text: &[char]) -> bool {
    let (mut p, mut t) = (0, 0);
    let mut retry: Option<(usize, usize)> = None;
    while t < text.len() {
        let one = match pieces.get(p) {
            Some(Piece::AnyMany) => {
                retry = Some((p + 1, t));
                p += 1;
                continue;
            }
            Some(Piece::AnyOne) => true,
            Some(Piece::Literal(c)) => *c == text[t],
            Some(Piece::Set { negated, ranges }) => {
                ranges
                    .iter()
                    .any(|(low, high)| (*low..=*high).contains(&text[t]))
                    != *negated
            }
            None => false,
        };
        if one {
            p += 1;
            t += 1;
        } else if let Some((after_star, from)) = retry {
            retry = Some((after_star, from + 1));
            p = after_star;
            t = from + 1;
        } else {
            return false;
        }
    }
    pieces[p..]
        .iter()
        .all(|piece| matches!(piece, Piece::AnyMany))
}
