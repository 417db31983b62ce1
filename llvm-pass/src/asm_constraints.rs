//! The constraint string of inline assembly, as LLVM writes it, and its
//! template.

/// One constraint that stands for an operand or a clobber.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operand {
    /// An operand in memory whose address is passed as an argument.
    Memory {
        /// The assembly writes it, and perhaps reads it; otherwise it only
        /// reads it.
        write: bool,
    },
    /// An operand passed by value.
    Input,
    /// A result in a register.
    Output,
    /// A clobbered register, or memory.
    Clobber,
    /// A label that `asm goto` may jump to.
    Label,
}

impl Operand {
    /// Whether the operand is one of the call's arguments.
    pub(crate) fn takes_argument(self) -> bool {
        matches!(self, Operand::Memory { .. } | Operand::Input)
    }
}

/// Splits a constraint string into its operands.
pub(crate) fn parse(constraints: &str) -> Vec<Operand> {
    constraints
        .split(',')
        .filter(|c| !c.is_empty())
        .map(operand)
        .collect()
}

fn operand(constraint: &str) -> Operand {
    if constraint.starts_with('~') {
        return Operand::Clobber;
    }
    if constraint.starts_with('!') {
        return Operand::Label;
    }
    let output = constraint.starts_with('=') || constraint.starts_with('+');
    let body = constraint.trim_start_matches(['=', '+', '&', '%']);
    match (body.starts_with('*'), output) {
        (true, true) => Operand::Memory { write: true },
        (true, false) => Operand::Memory { write: false },
        (false, true) => Operand::Output,
        (false, false) => Operand::Input,
    }
}

/// The instructions by which valgrind knows a client request, without what
/// stands between them: rotations that add up to nothing, and an exchange that
/// does nothing.
const CLIENT_REQUEST: [&str; 5] = [
    "rolq $$3, %rdi",
    "rolq $$13, %rdi",
    "rolq $$61, %rdi",
    "rolq $$51, %rdi",
    "xchgq %rbx,%rbx",
];

/// Whether the template is a valgrind client request. Its arguments are in an
/// array whose address is the first operand.
pub(crate) fn is_client_request(template: &str) -> bool {
    let instructions = template
        .split(['\n', ';'])
        .map(|part| part.split_whitespace().collect::<Vec<_>>().join(" "))
        .filter(|part| !part.is_empty());
    instructions.eq(CLIENT_REQUEST)
}

/// Whether one of the template's instructions has a `lock` prefix or is an
/// `xchg`, which locks by itself when an operand is in memory.
pub(crate) fn is_atomic_template(template: &str) -> bool {
    template
        .split(['\n', ';'])
        .flat_map(|line| {
            line.split_whitespace()
                .next()
                .into_iter()
                .chain(after_prefix(line))
        })
        .map(str::to_ascii_lowercase)
        .any(|word| word == "lock" || is_exchange(&word))
}

/// Something that an instruction of a template names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Named {
    /// The operand of this number itself.
    Operand(usize),
    /// What the register of this operand points to.
    Through(usize),
    /// A number.
    Constant(i64),
}

/// How inline assembly that is one `mov` between a register and memory, with all
/// other memory a clobber, uses that memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Move {
    /// From there into the result.
    Load(Named),
    /// To the first, of the second.
    Store(Named, Named),
}

/// What the assembly is, if it is just that: the processor makes such a load an
/// acquire and such a store a release, and whoever writes them that way means
/// it.
pub(crate) fn as_move(template: &str, constraints: &str) -> Option<Move> {
    let template = template.trim().trim_end_matches(';');
    let (instruction, rest) = template.split_once(char::is_whitespace)?;
    let is_mov = matches!(instruction, "mov" | "movb" | "movw" | "movl" | "movq");
    let (from, to) = rest.split_once(',')?;
    if !is_mov || !constraints.split(',').any(|c| c == "~{memory}") {
        return None;
    }
    let (from, to) = (named(from)?, named(to)?);
    let mut operands = parse(constraints);
    operands.retain(|operand| *operand != Operand::Clobber);
    let is_memory = |place| match place {
        Named::Operand(number) => matches!(operands.get(number), Some(Operand::Memory { .. })),
        Named::Through(number) => matches!(operands.get(number), Some(Operand::Input)),
        Named::Constant(_) => false,
    };
    let is = |place, kind| matches!(place, Named::Operand(n) if operands.get(n) == Some(&kind));
    let outputs = operands.iter().filter(|o| **o == Operand::Output).count();
    let value = matches!(from, Named::Constant(_)) || is(from, Operand::Input);
    match outputs {
        1 if is_memory(from) && is(to, Operand::Output) => Some(Move::Load(from)),
        0 if is_memory(to) && value => Some(Move::Store(to, from)),
        _ => None,
    }
}

/// What `text` in a template names, if it is as simple as that.
fn named(text: &str) -> Option<Named> {
    let text = text.trim();
    if let Some(number) = text.strip_prefix("$$") {
        return constant(number).map(Named::Constant);
    }
    let inner = text.strip_prefix("0(").or_else(|| text.strip_prefix('('));
    match inner {
        Some(inner) => operand_number(inner.strip_suffix(')')?.trim()).map(Named::Through),
        None => operand_number(text).map(Named::Operand),
    }
}

/// The number in `$1` or `${1:b}`.
fn operand_number(text: &str) -> Option<usize> {
    let text = text.strip_prefix('$')?;
    let text = match text.strip_prefix('{') {
        Some(inner) => inner.strip_suffix('}')?.split(':').next()?,
        None => text,
    };
    text.parse().ok()
}

fn constant(text: &str) -> Option<i64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let value = match digits.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16).ok()?.cast_signed(),
        None if digits.len() > 1 && digits.starts_with('0') => return None,
        None => digits.parse().ok()?,
    };
    Some(if negative {
        value.wrapping_neg()
    } else {
        value
    })
}

/// What the instructions name that have a `lock` prefix or are an `xchg`.
pub(crate) fn locked(template: &str) -> Vec<Named> {
    let mut locked = Vec::new();
    let mut prefix = false;
    for line in template.split(['\n', ';']) {
        let is_locked = prefix || is_atomic_template(line);
        prefix = line.trim().eq_ignore_ascii_case("lock") || prefix && line.trim().is_empty();
        if is_locked && !prefix {
            // The last word of each part: the first has the instruction.
            let parts = line.split(',').filter_map(|part| {
                let part = part.trim();
                named(part).or_else(|| named(part.split_whitespace().last()?))
            });
            locked.extend(parts);
        }
    }
    locked
}

/// How many bytes of memory the assembly uses, if its instruction says: the one
/// with a `lock` prefix, or the only one. Pointers to `char` are passed for
/// memory of any size.
pub(crate) fn width(template: &str) -> Option<u64> {
    let mut words: Vec<String> = Vec::new();
    for line in template.split(['\n', ';']) {
        let line = line.trim().to_ascii_lowercase();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((&line, ""));
        if word == "lock" && !rest.is_empty() {
            return instruction_width(rest.split_whitespace().next()?);
        }
        if !word.is_empty() {
            words.push(word.to_owned());
        }
    }
    match &words[..] {
        [only] => instruction_width(only),
        [lock, locked, ..] if lock == "lock" => instruction_width(locked),
        _ => None,
    }
}

/// The width that the name of an instruction ends with.
fn instruction_width(name: &str) -> Option<u64> {
    const NAMES: [&str; 12] = [
        "mov", "xchg", "xadd", "cmpxchg", "add", "sub", "and", "or", "xor", "inc", "dec", "neg",
    ];
    match name {
        "cmpxchg16b" => return Some(16),
        "cmpxchg8b" => return Some(8),
        _ => {}
    }
    NAMES
        .into_iter()
        .find_map(|plain| match name.strip_prefix(plain)? {
            "b" => Some(1),
            "w" => Some(2),
            "l" => Some(4),
            "q" => Some(8),
            _ => None,
        })
}

/// The word behind `rep`, a label or a segment prefix.
fn after_prefix(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace();
    let first = words.next()?;
    (first.ends_with(':') || first.starts_with("rep") || first.starts_with('{'))
        .then(|| words.next())?
}

fn is_exchange(word: &str) -> bool {
    matches!(word, "xchg" | "xchgb" | "xchgw" | "xchgl" | "xchgq")
}
