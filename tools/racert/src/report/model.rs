//! Records of findings as `docs/report.schema.json` has them.

use racert_records::symbol::spelling;
use serde::{Deserialize, Serialize};

/// The version of the records this command reads.
pub(crate) const SCHEMA: u64 = 1;

/// What every record begins with; decides how to read the rest.
#[derive(Debug, Deserialize)]
pub(crate) struct Head {
    pub(crate) schema: u64,
    #[serde(rename = "type")]
    pub(crate) kind: String,
}

/// A finding.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Finding {
    pub(crate) schema: u64,
    #[serde(rename = "type")]
    pub(crate) record: String,
    pub(crate) pid: u32,
    pub(crate) time: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) program: Option<String>,
    pub(crate) kind: String,
    pub(crate) certainty: Certainty,
    pub(crate) title: String,
    pub(crate) fingerprint: String,
    /// The same without the name of a local variable, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) fingerprint_without_local: Option<String>,
    pub(crate) message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) suggestion: Option<String>,
    /// Two of a race; of another finding the calls that make it up, at least
    /// one.
    pub(crate) accesses: Vec<Access>,
    pub(crate) place: Place,
    pub(crate) threads: Vec<Thread>,
    pub(crate) locks: Vec<Lock>,
    /// The lock orders that alone ordered the accesses of a possible race.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) ordered_by: Vec<Handover>,
}

/// One thread took a lock that another had released.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Handover {
    /// Index of the finding's lock.
    pub(crate) lock: usize,
    pub(crate) released_by: u32,
    pub(crate) taken_by: u32,
    /// Where it was taken.
    pub(crate) taken: Stack,
}

/// Whether the run proves it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Certainty {
    Proven,
    Possible,
    /// Nothing went wrong; it could be written better.
    /// What later versions may call otherwise counts as this.
    #[serde(other)]
    Advice,
}

/// One side of a race, or a call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Access {
    pub(crate) operation: String,
    /// What happened, in words that end in a colon, if the operation does not
    /// say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) message: Option<String>,
    pub(crate) address: String,
    pub(crate) size: u64,
    pub(crate) thread: u32,
    pub(crate) stack: Stack,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) source: Option<Excerpt>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) last_lock: Option<LastLock>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) last_sync: Option<LastSync>,
    /// `false` if the locks are not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) locks_known: Option<bool>,
    pub(crate) locks: Vec<HeldLock>,
}

/// What a thread did with a lock last before its access.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct LastLock {
    /// Index of the finding's lock.
    pub(crate) lock: usize,
    /// Given back, not taken.
    pub(crate) released: bool,
    pub(crate) stack: Stack,
}

/// What a thread did last before its access to be ordered with others, other
/// than with locks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct LastSync {
    pub(crate) act: String,
    /// Index of the finding's lock, or whatever else is among them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) object: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) thread: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) descriptor: Option<u32>,
    /// What it "had last" done.
    pub(crate) message: String,
    pub(crate) stack: Stack,
}

/// A lock held during an access.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct HeldLock {
    /// Index of the finding's lock.
    pub(crate) lock: usize,
    /// `read` or `write`.
    pub(crate) mode: String,
    /// Where it was taken.
    pub(crate) taken: Stack,
}

/// A lock.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Lock {
    pub(crate) kind: String,
    pub(crate) name: String,
    pub(crate) address: String,
    pub(crate) place: Place,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) created: Option<LockCreated>,
}

/// Where a lock comes from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct LockCreated {
    pub(crate) by: u32,
    /// Its initialisation was not seen: this is where it was used first.
    pub(crate) first_use: bool,
    pub(crate) stack: Stack,
}

/// A call stack, innermost first.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Stack {
    pub(crate) frames: Vec<Frame>,
    pub(crate) callers_lost: bool,
}

/// One function of a stack.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Frame {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) function: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) column: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) module: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) offset: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) build_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) address: Option<String>,
    pub(crate) inlined: bool,
}

/// Source lines around a frame.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Excerpt {
    pub(crate) frame: usize,
    pub(crate) first_line: u32,
    pub(crate) lines: Vec<String>,
}

/// The memory.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Place {
    pub(crate) kind: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) name: Option<String>,
    pub(crate) address: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) size: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) offset: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) declared: Option<Declared>,
    #[serde(rename = "in", skip_serializing_if = "Option::is_none")]
    pub(crate) module: Option<InModule>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) thread: Option<u32>,
    /// Of a thread-local variable without a name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) thread_pointer: Option<String>,
    /// Of a local variable without a name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) call: Option<Call>,
    /// Of a descriptor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) number: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) freed: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) part: Option<Part>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) stack: Option<Stack>,
}

/// A call with the places that name its variables.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Call {
    /// Where its frame ends.
    pub(crate) frame: String,
    /// Where it may be, the likeliest first.
    pub(crate) code: Vec<InModule>,
    /// Where the function begins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) entry: Option<InModule>,
}

/// What of a variable or block was accessed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Part {
    pub(crate) name: String,
    pub(crate) address: String,
    pub(crate) size: u64,
    #[serde(rename = "type")]
    pub(crate) type_name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) member: Option<String>,
}

/// Where a variable is declared.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Declared {
    pub(crate) file: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) column: Option<u32>,
}

/// A place in a loaded file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct InModule {
    pub(crate) module: String,
    pub(crate) offset: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) build_id: Option<String>,
}

/// A thread.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Thread {
    pub(crate) number: u32,
    pub(crate) os_id: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) name: Option<String>,
    pub(crate) running: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) created: Option<Created>,
}

/// Who created a thread, and where.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Created {
    pub(crate) by: u32,
    pub(crate) stack: Stack,
}

/// The end of a process.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Summary {
    pub(crate) pid: u32,
    pub(crate) findings: u64,
    pub(crate) exit_status: u8,
}

/// Parts of the names of source files that came with a compiler.
const LIBRARY_SOURCES: [&str; 4] = ["/usr/include/", "/usr/lib/", "/rustc/", "/rustlib/src/"];

impl Access {
    /// Index of the frame to look at first: the innermost one in the program's
    /// own source.
    pub(crate) fn culprit_index(&self) -> usize {
        if let Some(source) = &self.source {
            return source.frame.min(self.stack.frames.len().saturating_sub(1));
        }
        let own = |frame: &Frame| match (&frame.file, frame.line) {
            (Some(file), Some(_)) => !LIBRARY_SOURCES.iter().any(|part| file.contains(part)),
            _ => false,
        };
        self.stack.frames.iter().position(own).unwrap_or(0)
    }

    /// The frame to look at first.
    pub(crate) fn culprit(&self) -> Option<&Frame> {
        self.stack.frames.get(self.culprit_index())
    }

    /// The operation in words.
    pub(crate) fn noun(&self) -> String {
        match &self.message {
            Some(message) => message.trim_end_matches(':').to_owned(),
            None => self.operation.replace('-', " "),
        }
    }
}

impl Finding {
    /// The access that best says where the finding is: the first with a line.
    pub(crate) fn primary(&self) -> &Access {
        let has_line = |access: &&Access| access.culprit().is_some_and(|f| f.line.is_some());
        self.accesses
            .iter()
            .find(has_line)
            .unwrap_or(&self.accesses[0])
    }

    /// Is it on a local variable whose name is not known?
    pub(crate) fn is_on_unnamed_local(&self) -> bool {
        self.place.kind == "stack" && self.place.name.is_none()
    }

    /// The thread with `number`.
    pub(crate) fn thread(&self, number: u32) -> Option<&Thread> {
        self.threads.iter().find(|thread| thread.number == number)
    }

    /// `main thread`, `thread T2 (worker)`
    pub(crate) fn thread_name(&self, number: u32) -> String {
        let name = self
            .thread(number)
            .and_then(|thread| thread.name.as_deref());
        match (number, name) {
            (0, _) => "main thread".to_owned(),
            (_, Some(name)) => format!("thread T{number} ({name})"),
            (_, None) => format!("thread T{number}"),
        }
    }

    /// The memory in a few words: `'counter'`, `heap block`.
    pub(crate) fn memory(&self) -> String {
        if let Some(part) = &self.place.part {
            return format!("'{}'", part.name);
        }
        match (&self.place.name, self.place.kind.as_str()) {
            (Some(name), "global" | "thread-local") => format!("'{name}'"),
            (_, "heap") => match self.place.size {
                Some(size) => format!("heap block of {size} bytes"),
                None => "heap block".to_owned(),
            },
            (_, "stack") => "stack variable".to_owned(),
            (_, "thread-local") => "thread-local storage".to_owned(),
            (_, "static") => "static data".to_owned(),
            (_, "mapping") => "mapped memory".to_owned(),
            (_, "descriptor") => "a file descriptor".to_owned(),
            (Some(name), "library") => name.clone(),
            _ => format!("memory at {}", self.place.address),
        }
    }

    /// Is it about two accesses to memory?
    pub(crate) fn is_race(&self) -> bool {
        self.accesses.len() == 2 && self.accesses.iter().all(|access| access.message.is_none())
    }

    /// `data race on 'counter' between f and g`, `deadlock: mutex 'a', mutex
    /// 'b'`
    pub(crate) fn headline(&self) -> String {
        if !self.is_race() {
            let locks: Vec<&str> = self.locks.iter().map(|lock| &lock.name[..]).collect();
            if !locks.is_empty() {
                return format!("{}: {}", self.title, locks.join(", "));
            }
            let frame = self.primary().culprit();
            let function = frame.and_then(|frame| frame.function.as_deref());
            let function = function.map(short_function);
            return match function {
                Some(function) => format!("{} in {function}", self.title),
                None => self.title.clone(),
            };
        }
        let functions = [0, 1].map(|i| {
            let frame = self.accesses[i].culprit();
            frame.and_then(|frame| frame.function.as_deref())
        });
        let places = between(functions);
        if self.place.kind == "descriptor" {
            return format!("{} {places}", self.title);
        }
        format!("{} on {} {places}", self.title, self.memory())
    }
}

/// `between f and g`, `in f`
fn between(functions: [Option<&str>; 2]) -> String {
    let short = |function: Option<&str>| function.map_or("unknown code".into(), short_function);
    let [first, second] = functions.map(short);
    if first != second {
        format!("between {first} and {second}")
    } else if functions[0] != functions[1]
        && functions.map(|f| f.and_then(around_lambda)) != [None; 2]
    {
        format!("between {first} and another")
    } else {
        format!("in {first}")
    }
}

/// The function that a lambda is written in: `main` of
/// `main::$_0::operator()() const`.
fn around_lambda(name: &str) -> Option<&str> {
    let (lambda, _) = name.rsplit_once("::operator()(")?;
    let (around, own) = match lambda.strip_suffix('}') {
        Some(open) => open.rsplit_once("::{lambda(")?,
        None => lambda.rsplit_once("::$_")?,
    };
    (!own.contains("::$_") && !around.is_empty()).then_some(around)
}

/// A function's name without parameters and unnamed namespaces.
fn short_function(name: &str) -> String {
    let name = name.replace("(anonymous namespace)::", "");
    if let Some(around) = around_lambda(&name) {
        return format!("a lambda in {}", short_function(around));
    }
    if name.contains("operator(") {
        return name;
    }
    let mut depth = 0;
    for (at, letter) in name.char_indices() {
        match letter {
            '<' => depth += 1,
            '>' => depth -= 1,
            '(' if depth == 0 && at > 0 => return name[..at].to_owned(),
            _ => {}
        }
    }
    name
}

impl Frame {
    /// The function's name as people write it.
    pub(crate) fn shown(&self) -> Option<String> {
        self.function.as_deref().map(spelling::short)
    }

    /// `file:line`, `module+offset` or the address.
    pub(crate) fn position(&self) -> String {
        match (&self.file, self.line, &self.module, &self.offset) {
            (Some(file), Some(line), ..) => match self.column {
                Some(column) => format!("{file}:{line}:{column}"),
                None => format!("{file}:{line}"),
            },
            (Some(file), None, ..) => file.clone(),
            (None, _, Some(module), Some(offset)) => format!("{module}+{offset}"),
            _ => self.address.clone().unwrap_or_default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{between, short_function};

    #[test]
    fn names_that_fit_into_a_list() {
        let short = |name| short_function(name);
        assert_eq!(short("main::$_0::operator()() const"), "a lambda in main");
        assert_eq!(
            short("app::run(int)::{lambda(int)#2}::operator()(int) const"),
            "a lambda in app::run"
        );
        assert_eq!(
            short("Less::operator()(int) const"),
            "Less::operator()(int) const"
        );
        assert_eq!(short("worker"), "worker");
        assert_eq!(
            short("(anonymous namespace)::Account::balance() const"),
            "Account::balance"
        );
        assert_eq!(short("f<void (*)(int)>(int, char)"), "f<void (*)(int)>");
        assert_eq!(short("main::$_1::operator()() const"), "a lambda in main");
        assert_eq!(short("app::run::{{closure}}"), "app::run::{{closure}}");
    }

    #[test]
    fn one_function_or_two() {
        let lambdas = [
            "main::$_0::operator()() const",
            "main::$_1::operator()() const",
        ];
        let places = |first: &str, second: &str| between([Some(first), Some(second)]);
        assert_eq!(places("f", "g(int)"), "between f and g");
        assert_eq!(places("f", "f"), "in f");
        assert_eq!(places(lambdas[0], lambdas[0]), "in a lambda in main");
        assert_eq!(
            places(lambdas[0], lambdas[1]),
            "between a lambda in main and another"
        );
        assert_eq!(between([None, None]), "in unknown code");
    }
}
