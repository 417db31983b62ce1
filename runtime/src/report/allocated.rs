//! Of which type a heap block is.
//!
//! Debug information does not say what an allocation is for. Two things do: the
//! allocators of C++ containers carry the type in their names, and the line of
//! the call mostly spells it, as `new T` or `sizeof(T)`. Either is believed
//! only if the debug information of the allocating unit has such a type and
//! its size fits the block's.

use super::excerpt::Sources;
use super::frames::{Line, Resolved, culprit};
use crate::finding::Place;
use crate::symbol::{Block, Bytes, Hint, Resolve};
use alloc::string::{String, ToString};

/// Finds out what part of the heap block that `resolved` is about both accesses
/// touch.
pub(super) fn name_part(
    resolved: &mut Resolved,
    bytes: Bytes,
    resolver: &mut dyn Resolve,
    sources: &mut Sources,
) {
    let Place::Heap { start, size, .. } = resolved.place else {
        return;
    };
    let container = resolved.allocation.iter().find_map(|line| {
        let function = line.function.as_deref()?;
        let elements = || Some(Hint::Elements(element_type(function)?.to_string()));
        let one = || Some(Hint::One(made_type(function)?.to_string()));
        Some((line, elements().or_else(one)?))
    });
    let found = container.or_else(|| {
        let line = culprit(&resolved.allocation)?;
        let excerpt = sources.excerpt(line.source.as_ref()?)?;
        let text = excerpt.lines.get((excerpt.line - excerpt.first) as usize)?;
        Some((line, hint(text)?))
    });
    let block = Block { start, size };
    resolved.part = found.and_then(|(line, hint): (&Line, Hint)| {
        resolver.allocated(line.address, &hint, block, bytes)
    });
}

/// The type that a container's allocator allocates.
fn element_type(function: &str) -> Option<&str> {
    const ALLOCATORS: [&str; 2] = ["new_allocator<", "std::allocator<"];
    let start = ALLOCATORS
        .iter()
        .find_map(|name| Some(function.find(name)? + name.len()))?;
    let inside = balanced(&function[start..])?;
    let rest = &function[start + inside.len()..];
    rest.starts_with(">::allocate(").then_some(inside)
}

/// The type of which `std::make_unique` makes one.
fn made_type(function: &str) -> Option<&str> {
    let rest = function.strip_prefix("std::make_unique<")?;
    let arguments = balanced(rest)?;
    let first = arguments.split(',').next()?;
    // Behind a comma are the arguments' types, unless it is the type's own.
    (first.matches('<').count() == first.matches('>').count()).then_some(first.trim())
}

/// The text up to the bracket that closes one opened before it.
fn balanced(text: &str) -> Option<&str> {
    let mut depth = 0;
    let end = text.find(|c| {
        match c {
            '<' | '(' | '[' | '{' => depth += 1,
            '>' | ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
        depth < 0
    })?;
    Some(&text[..end])
}

/// What a line of source says that it allocates, if it allocates one thing.
fn hint(line: &str) -> Option<Hint> {
    let code = line.split("//").next().unwrap_or(line);
    let news: usize = words(code, "new").count();
    let sizes: usize = words(code, "sizeof").count();
    match (news, sizes) {
        (1, _) => after_new(words(code, "new").next()?),
        (0, 1) => after_sizeof(words(code, "sizeof").next()?),
        _ => None,
    }
}

/// What follows each occurrence of `word` in `code`.
fn words<'a>(code: &'a str, word: &'a str) -> impl Iterator<Item = &'a str> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    code.match_indices(word).filter_map(move |(at, _)| {
        let (before, after) = (&code[..at], &code[at + word.len()..]);
        let whole = !before.ends_with(is_part) && !after.starts_with(is_part);
        whole.then_some(after)
    })
}

fn after_new(rest: &str) -> Option<Hint> {
    let mut rest = rest.trim_start();
    if let Some(arguments) = rest.strip_prefix('(') {
        let inside = balanced(arguments)?;
        rest = arguments[inside.len() + 1..].trim_start();
    }
    let mut depth = 0;
    let ends = |c: char| {
        match c {
            '<' => depth += 1,
            '>' => depth -= 1,
            _ => {}
        }
        depth == 0 && !(c.is_alphanumeric() || "_:<> ".contains(c))
    };
    let end = rest.find(ends).unwrap_or(rest.len());
    let name = rest[..end].trim();
    let name = plain(name)?;
    if rest[end..].starts_with('[') {
        Some(Hint::Elements(name))
    } else {
        Some(Hint::One(name))
    }
}

fn after_sizeof(rest: &str) -> Option<Hint> {
    let rest = rest.trim_start();
    let (operand, bare) = match rest.strip_prefix('(') {
        Some(inside) => (balanced(inside)?, false),
        None => (rest, true),
    };
    let operand = operand.trim();
    match operand.strip_prefix('*') {
        Some(variable) => {
            let end = variable.find(|c: char| !(c.is_alphanumeric() || c == '_'));
            let name = &variable[..end.unwrap_or(variable.len())];
            let all = bare || name.len() == variable.len();
            (all && !name.is_empty()).then(|| Hint::PointedTo(name.to_string()))
        }
        None if bare => None,
        None => Some(Hint::Elements(plain(operand)?)),
    }
}

/// A type's name without keywords; `None` if it is not just a name.
fn plain(name: &str) -> Option<String> {
    let mut name = name;
    for keyword in ["const ", "struct ", "class ", "union ", "enum "] {
        name = name.strip_prefix(keyword).unwrap_or(name).trim();
    }
    let is_name = |c: char| c.is_alphanumeric() || "_:<>, ".contains(c);
    (!name.is_empty() && name.chars().all(is_name)).then(|| name.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn containers() {
        let vector = "std::__new_allocator<app::Node>::allocate(unsigned long, void const*)";
        assert_eq!(element_type(vector), Some("app::Node"));
        let map = "__gnu_cxx::new_allocator<std::_Rb_tree_node<std::pair<int const, int> > \
                   >::allocate(unsigned long)";
        assert_eq!(
            element_type(map).map(str::trim),
            Some("std::_Rb_tree_node<std::pair<int const, int> >")
        );
        assert_eq!(element_type("std::allocator<int>::allocator()"), None);
        assert_eq!(element_type("main"), None);
        assert_eq!(made_type("std::make_unique<P>(&&)"), Some("P"));
        assert_eq!(
            made_type("std::make_unique<a::P, int>(int&&)"),
            Some("a::P")
        );
        assert_eq!(made_type("std::make_unique<V<A, B> >()"), None);
        assert_eq!(made_type("make_unique<P>()"), None);
    }

    #[test]
    fn lines() {
        let one = |name: &str| Some(Hint::One(name.into()));
        let many = |name: &str| Some(Hint::Elements(name.into()));
        let to = |name: &str| Some(Hint::PointedTo(name.into()));
        assert_eq!(
            hint("  counter = new app::Counter(3); // new"),
            one("app::Counter")
        );
        assert_eq!(hint("return new (std::nothrow) Node{};"), one("Node"));
        assert_eq!(hint("p = new Node[count];"), many("Node"));
        assert_eq!(
            hint("p.reset(new Pair<int, Node>);"),
            one("Pair<int, Node>")
        );
        assert_eq!(
            hint("struct node *n = malloc(sizeof(struct node));"),
            many("node")
        );
        assert_eq!(hint("n = calloc(20, sizeof(node_t));"), many("node_t"));
        assert_eq!(hint("n = malloc(sizeof *n);"), to("n"));
        assert_eq!(hint("n = malloc(sizeof(*n) * 4);"), to("n"));
        assert_eq!(hint("n = malloc(sizeof(*n->next));"), None);
        assert_eq!(hint("n = malloc(sizeof(a) + sizeof(b));"), None);
        assert_eq!(hint("renew(news);"), None);
        assert_eq!(hint("p = malloc(64);"), None);
    }
}
