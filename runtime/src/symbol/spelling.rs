//! Names of functions as people write them.
//!
//! A demangled name spells out what the source leaves to defaults: the
//! allocators, comparisons and deleters of the standard library, and the
//! namespaces inside `std` that tell its versions apart. Half a page of them
//! says less than `std::map<std::string, int>::operator[](std::string const&)`.

use alloc::string::{String, ToString};

/// Namespaces inside `std` that nobody writes.
const INLINE: [&str; 3] = ["std::__cxx11::", "std::__1::", "std::__ndk1::"];

/// Templates that stand for the default where they are a later argument.
const DEFAULTS: [&str; 8] = [
    ", std::allocator<",
    ", std::char_traits<",
    ", std::less<",
    ", std::equal_to<",
    ", std::hash<",
    ", std::default_delete<",
    ", std::_Select1st<",
    ", std::_Identity<",
];

/// Instances that have a name of their own.
const NAMED: [(&str, &str); 8] = [
    ("std::basic_string<char>", "std::string"),
    ("std::basic_string<wchar_t>", "std::wstring"),
    ("std::basic_string_view<char>", "std::string_view"),
    ("std::basic_ostream<char>", "std::ostream"),
    ("std::basic_istream<char>", "std::istream"),
    ("std::basic_iostream<char>", "std::iostream"),
    ("std::basic_ifstream<char>", "std::ifstream"),
    ("std::basic_ofstream<char>", "std::ofstream"),
];

/// `name` without what goes without saying.
pub fn short(name: &str) -> String {
    if !name.contains("std::") {
        return name.to_string();
    }
    let mut text = name.to_string();
    for space in INLINE {
        text = text.replace(space, "std::");
    }
    for default in DEFAULTS {
        text = without(&text, default);
    }
    // Names in names, from the inside.
    while text.contains(" >") {
        text = text.replace(" >", ">");
    }
    for (instance, own) in NAMED {
        text = text.replace(instance, own);
    }
    text
}

/// `text` without the arguments that begin with `default`.
fn without(text: &str, default: &str) -> String {
    let mut short = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(default) {
        let inside = &rest[at + default.len()..];
        let Some(end) = closing(inside) else { break };
        let behind = &inside[end + 1..];
        let is_argument = behind.trim_start().starts_with([',', '>']);
        let kept = if is_argument { at } else { at + default.len() };
        short.push_str(&rest[..kept]);
        rest = if is_argument { behind } else { inside };
    }
    short + rest
}

/// Where the bracket is closed that was opened before `text`.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0;
    let bytes = text.as_bytes();
    (0..bytes.len()).find(|&at| {
        match bytes[at] {
            b'<' | b'(' => depth += 1,
            // An arrow closes nothing.
            b'>' if at > 0 && bytes[at - 1] == b'-' => {}
            b'>' | b')' => depth -= 1,
            _ => {}
        }
        depth < 0
    })
}

#[cfg(test)]
mod tests {
    use super::short;

    #[test]
    fn defaults_go_without_saying() {
        let string = "std::__cxx11::basic_string<char, std::char_traits<char>, \
                      std::allocator<char> >";
        assert_eq!(short(string), "std::string");
        let map = alloc::format!(
            "std::map<{string}, int, std::less<{string} >, std::allocator<std::pair<{string} \
             const, int> > >::operator[]({string} const&)"
        );
        assert_eq!(
            short(&map),
            "std::map<std::string, int>::operator[](std::string const&)"
        );
        assert_eq!(
            short("std::vector<job, std::allocator<job> >::push_back(job&&)"),
            "std::vector<job>::push_back(job&&)"
        );
        assert_eq!(
            short(
                "std::__1::basic_string<char, std::__1::char_traits<char>, std::__1::allocator<char>>::size() const"
            ),
            "std::string::size() const"
        );
    }

    #[test]
    fn what_is_not_a_default_stays() {
        for name in [
            "main",
            "f(int, std::allocator<int>&)",
            "std::vector<int, arena<int>>::size() const",
            "std::map<int, int, std::greater<int>>::clear()",
            "g<std::allocator<int>>()",
            "broken<std::less<, std::less<",
        ] {
            assert_eq!(short(name), name);
        }
    }
}
