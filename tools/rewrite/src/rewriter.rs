//! From the bytes of a file to the bytes of its rewritten twin.

use std::collections::BTreeSet;
use std::ops::Range;

use iced_x86::InstructionInfoFactory;

use super::access::{Classifier, Touched, vectors};
use super::code::{Code, Function, Reason, is_call};
use super::coverage::Coverage;
use super::emit::{Emitted, Emitter};
use super::entry::Rows;
use super::image::Image;
use super::liveness::{self, Live};
use super::output::{self, Facts, Layout};
use super::patch::{self, Jump, Patch, Plan};
use super::{flow, frames, tables};
use crate::error::{Error, Result};

/// Functions that fill a cache in which every thread would write the same: a
/// race by the letter, and one that a program can do nothing about. They are
/// checked as all others; the runtime is told not to report their races.
/// libstdc++'s `ctype<char>` remembers in this way what it has converted; GLib's
/// allocator looks at how contended its lock is without taking it; sqlite fills
/// its table of mutex functions before it has a mutex.
const HARMLESS: [&str; 6] = [
    "_ZNKSt5ctypeIcE13_M_widen_initEv",
    "_ZNKSt5ctypeIcE14_M_narrow_initEv",
    "g_slice_alloc",
    "g_slice_free1",
    "g_slice_free_chain_with_offset",
    "sqlite3MutexInit",
];

/// What the user may choose.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Globs of the functions to rewrite; all if empty.
    pub only: Vec<String>,
    /// Globs of the functions to leave alone.
    pub exclude: Vec<String>,
    /// Turn dead original code into traps.
    pub poison: bool,
}

/// A rewritten file.
pub struct Rewritten {
    /// All of it.
    pub bytes: Vec<u8>,
    /// What was done to it.
    pub coverage: Coverage,
}

/// What is known of the whole file. What can be found again for one function at
/// a time is not in it: there are millions of instructions.
struct Work<'a> {
    image: &'a Image,
    code: Code,
    switches: BTreeSet<u64>,
    /// Has the function an access to be checked?
    checked: Vec<bool>,
    live: Vec<Live>,
}

/// Rewrites a file.
pub fn rewrite(bytes: Vec<u8>, options: &Options) -> Result<Rewritten> {
    rewrite_watched(bytes, options, &mut |_, _| {})
}

/// Rewrites a file and calls `watch` now and then, with how much is done and
/// how much there is to do.
pub fn rewrite_watched(
    bytes: Vec<u8>,
    options: &Options,
    watch: &mut dyn FnMut(u64, u64),
) -> Result<Rewritten> {
    let mut image = Image::read(bytes)?;
    if image.is_rewritten() {
        return Err(
            Error::new("the file was rewritten by racert already").hint("rewrite the original")
        );
    }
    let frames = frames::read(&image)?;
    let mut code = Code::decode(&image, frames.functions);
    let (Some(first), Some(last)) = (code.functions.first(), code.functions.last()) else {
        return Err(Error::new("no unwind entry belongs to code of this file"));
    };
    if last.end - first.start > u64::from(u32::MAX) {
        return Err(Error::new(
            "the code of the file is spread over more than 4 GiB",
        ));
    }
    let switches = tables::resolve(&image, &mut code);
    flow::reject_odd(&image, &mut code);
    exclude(&image, &mut code, options);
    let total = code.functions.len() as u64 * 2;
    watch(0, total);
    let mut work = Work {
        checked: checked(&image, &code),
        live: liveness::analyse(&code, &switches),
        image: &image,
        code,
        switches,
    };
    let (moved, leaders, plan) = work.plan();
    watch(total / 2, total);
    let layout = Layout::new(&image);
    let (emitted, coverage) = work
        .emit(
            &moved,
            &leaders,
            &plan,
            Rows(&frames.rows),
            layout,
            &mut |done| watch(total / 2 + done, total),
        )
        .map_err(|e| {
            Error::new(format!("the code cannot be moved: {e}"))
                .hint("leave the function out with --exclude")
        })?;
    drop(leaders);
    let code = work.code;
    let functions = code.functions.iter().flat_map(|f| &f.code);
    let vectors = functions.chain(&code.loose).map(vectors).max();
    let facts = Facts {
        rows: &frames.rows,
        vectors: vectors.unwrap_or_default(),
        harmless: harmless(&image, &code),
    };
    let mut bytes = std::mem::take(&mut image.bytes);
    let patch = Patch {
        image: &image,
        emitted: &emitted,
    };
    if options.poison {
        patch.poison(&mut bytes, &plan)?;
    }
    patch.jumps(&mut bytes, &plan)?;
    patch.calls(&mut bytes, &code, &moved)?;
    drop(code);
    Ok(Rewritten {
        bytes: output::build(bytes, layout, emitted.bytes, facts)?,
        coverage,
    })
}

/// For each function: does it make an access that has to be checked?
fn checked(image: &Image, code: &Code) -> Vec<bool> {
    let mut classifier = Classifier::new(image);
    let functions = code.functions.iter();
    functions
        .map(|function| {
            let touched = classifier.function(function);
            touched.iter().any(|t| !t.checks.is_empty())
        })
        .collect()
}

fn exclude(image: &Image, code: &mut Code, options: &Options) {
    for function in &mut code.functions {
        let out = !options.only.is_empty() && !named(image, &options.only, function.start);
        if out || named(image, &options.exclude, function.start) {
            function.skipped = Some(Reason::Excluded);
        }
    }
}

/// Does a function at `start` have a name that one of `globs` matches?
fn named(image: &Image, globs: &[String], start: u64) -> bool {
    let from = image.symbols.partition_point(|s| s.address < start);
    let symbols = image.symbols[from..].iter();
    symbols
        .take_while(|s| s.address == start)
        .any(|s| globs.iter().any(|glob| matches(glob, &s.name)))
}

/// Where the functions are whose races do no harm.
fn harmless(image: &Image, code: &Code) -> Vec<Range<u64>> {
    let names = HARMLESS.map(str::to_owned);
    let functions = code.functions.iter();
    functions
        .filter(|function| named(image, &names, function.start))
        .map(|function| function.start..function.end)
        .collect()
}

/// Does `text` match a glob of `*` and `?`?
fn matches(glob: &str, text: &str) -> bool {
    let mut glob_chars = glob.chars();
    match glob_chars.next() {
        None => text.is_empty(),
        Some('*') => {
            let rest = glob_chars.as_str();
            let mut starts = text.char_indices().map(|(at, _)| at).chain([text.len()]);
            starts.any(|at| matches(rest, &text[at..]))
        }
        Some(wanted) => {
            let mut text_chars = text.chars();
            let met = text_chars.next();
            met.is_some_and(|met| wanted == '?' || wanted == met)
                && matches(glob_chars.as_str(), text_chars.as_str())
        }
    }
}

impl Work<'_> {
    /// Decides what moves, until every leader has room for its jump.
    fn plan(&mut self) -> (Vec<bool>, BTreeSet<u64>, Plan) {
        loop {
            let functions = self.code.functions.iter().zip(&self.checked);
            let moved: Vec<bool> = functions
                .map(|(function, checked)| *checked && function.skipped.is_none())
                .collect();
            let leaders = flow::leaders(self.image, &self.code, &self.switches, &moved);
            match patch::plan(self.image, &self.code, &leaders, &moved) {
                Ok(plan) => return (moved, leaders, plan),
                Err(functions) => {
                    for index in functions {
                        self.code.functions[index].skipped = Some(Reason::NoRoom);
                    }
                }
            }
        }
    }

    /// Emits what moves, and accounts for all.
    fn emit(
        &self,
        moved: &[bool],
        leaders: &BTreeSet<u64>,
        plan: &Plan,
        rows: Rows<'_>,
        layout: Layout,
        watch: &mut dyn FnMut(u64),
    ) -> std::result::Result<(Emitted, Coverage), iced_x86::IcedError> {
        let mut emitter = Emitter::new(self.image, &self.code, moved, rows, layout.code());
        let mut classifier = Classifier::new(self.image);
        let mut factory = InstructionInfoFactory::new();
        let mut coverage = self.coverage(plan);
        for (index, function) in self.code.functions.iter().enumerate() {
            if index.is_multiple_of(64) {
                watch(index as u64);
            }
            let touched = classifier.function(function);
            self.account(&mut coverage, function, &touched, moved[index], plan);
            if moved[index] {
                let effects = liveness::effects(&mut factory, function);
                emitter.function(function, &touched, &self.live[index], &effects, leaders)?;
            }
        }
        Ok((emitter.finish(layout.slots())?, coverage))
    }

    /// Accounts for one function.
    fn account(
        &self,
        coverage: &mut Coverage,
        function: &Function,
        touched: &[Touched],
        moved: bool,
        plan: &Plan,
    ) {
        coverage.functions += 1;
        if moved {
            coverage.moved += 1;
        } else if let Some(reason) = function.skipped {
            *coverage.skipped.entry(reason).or_default() += 1;
            coverage.left.push((self.name(function.start), reason));
        } else {
            coverage.harmless += 1;
        }
        for (instruction, touched) in function.code.iter().zip(touched) {
            if !touched.any() {
                continue;
            }
            coverage.accesses += 1;
            let kept = plan.kept.contains(&instruction.ip())
                || (is_call(instruction) && follows_call(function, instruction.ip()));
            let reason = match (touched.skipped, moved) {
                _ if touched.checks.is_empty() && touched.skipped.is_none() => {
                    coverage.constant += 1;
                    continue;
                }
                (_, false) => function.skipped,
                (Some(reason), true) => Some(reason),
                (None, true) => kept.then_some(Reason::InPlace),
            };
            match reason {
                Some(reason) => *coverage.missed.entry(reason).or_default() += 1,
                None => coverage.checked += 1,
            }
        }
    }

    /// What is to be told apart from functions.
    fn coverage(&self, plan: &Plan) -> Coverage {
        let mut coverage = Coverage::default();
        for jump in &plan.jumps {
            match jump {
                Jump::Near { .. } => coverage.near_jumps += 1,
                Jump::Short { .. } => coverage.short_jumps += 1,
            }
        }
        coverage.near_jumps -= coverage.short_jumps;
        let text = self.image.section(".text").map(|s| s.range.clone());
        let gaps = text.map(|text| self.code.gaps(text)).unwrap_or_default();
        // Up to 15 bytes between functions align the next one.
        let sizes = gaps.iter().map(|gap| gap.end - gap.start);
        coverage.unknown_bytes = sizes.filter(|size| *size > 15).sum();
        coverage
    }

    fn name(&self, address: u64) -> String {
        let symbols = &self.image.symbols;
        let at = symbols.partition_point(|s| s.address < address);
        match symbols.get(at).filter(|s| s.address == address) {
            Some(symbol) => symbol.name.clone(),
            None => format!("{address:#x}"),
        }
    }
}

/// A call right behind another one is not led to its moved twin.
fn follows_call(function: &Function, address: u64) -> bool {
    let before = function.index(address).and_then(|i| i.checked_sub(1));
    before.is_some_and(|before| is_call(&function.code[before]))
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn globs() {
        assert!(matches("inflate*", "inflateInit_"));
        assert!(matches("*", "") && matches("a?c*e", "abcde"));
        assert!(!matches("inflate", "inflateInit_") && !matches("?", ""));
    }
}
