//! Names as the programmer wrote them.

use alloc::format;
use alloc::string::{String, ToString};
use cpp_demangle::{DemangleOptions, Symbol};

/// Longer mangled names stay as they are: they come from expanded templates,
/// and demangled they can be thousands of times longer.
const LONGEST: usize = 8 << 10;

/// Does `name` look like a mangled one?
pub(super) fn is_mangled(name: &str) -> bool {
    name.starts_with("_Z") || name.starts_with("_R")
}

/// `name` demangled, if it is mangled.
pub(super) fn demangle(name: &str) -> String {
    if !is_mangled(name) || name.len() > LONGEST {
        return name.to_string();
    }
    if let Ok(rust) = rustc_demangle::try_demangle(name) {
        return format!("{rust:#}");
    }
    // A return type says little and hides the name behind it.
    let options = DemangleOptions::default().no_return_type();
    let demangled = Symbol::new(name)
        .ok()
        .and_then(|symbol| symbol.demangle_with_options(&options).ok());
    match demangled {
        Some(text) => without_empty_packs(text),
        None => name.to_string(),
    }
}

/// A variable's name. Optimisers split an aggregate into parts and number
/// them: `_ZN3appL5statsE.0` becomes `app::stats.0`.
pub(super) fn demangle_variable(name: &str) -> String {
    match name.find('.') {
        Some(dot) if is_mangled(name) => demangle(&name[..dot]) + &name[dot..],
        _ => demangle(name),
    }
}

/// Takes out the commas that stand before parameters of an empty pack.
fn without_empty_packs(text: String) -> String {
    let mut text = text;
    for (with, without) in [
        (", , ", ", "),
        (", >", ">"),
        (", &&)", ")"),
        (", &)", ")"),
        (", )", ")"),
    ] {
        if text.contains(with) {
            text = text.replace(with, without);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages() {
        assert_eq!(demangle("main"), "main");
        assert_eq!(demangle("_ZN3foo3barEi"), "foo::bar(int)");
        assert_eq!(demangle("_ZZ4mainE5count"), "main::count");
        assert_eq!(demangle("_Z4bumpIlEvRT_"), "bump<long>(long&)");
        assert_eq!(
            demangle("_ZSt13__invoke_implIvZ4mainE3$_0JEET_St14__invoke_otherOT0_DpOT1_"),
            "std::__invoke_impl<void, main::$_0>(std::__invoke_other, main::$_0&&)"
        );
        assert_eq!(demangle_variable("_ZN3appL5statsE.0"), "app::stats.0");
        assert_eq!(demangle_variable("calls.0"), "calls.0");
        assert_eq!(
            demangle("_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE"),
            "core::fmt::Write::write_fmt"
        );
        assert_eq!(demangle("_RNvC6_123foo3bar"), "123foo::bar");
        assert_eq!(demangle("_Znot mangled at all"), "_Znot mangled at all");
    }

    #[test]
    fn names_that_explode_are_left_alone() {
        let name = format!("_ZN{}E", "1a".repeat(LONGEST));
        assert_eq!(demangle(&name), name);
    }
}
