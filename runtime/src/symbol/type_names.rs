//! What types are called.

use super::dwarf::Slice;
use super::types::{Entry, dimensions, follow, name, type_of};
use addr2line::gimli::{self, AttributeValue, DwTag, UnitRef};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};

/// Is this a name or qualifier of another type?
pub(super) fn is_transparent(tag: DwTag) -> bool {
    tag == gimli::DW_TAG_typedef || qualifier(tag).is_some()
}

fn qualifier(tag: DwTag) -> Option<&'static str> {
    Some(match tag {
        gimli::DW_TAG_const_type => "const",
        gimli::DW_TAG_volatile_type => "volatile",
        gimli::DW_TAG_atomic_type => "_Atomic",
        gimli::DW_TAG_restrict_type => "restrict",
        _ => return None,
    })
}

/// What the programmer would write for it.
pub(super) fn type_name(unit: UnitRef<'_, Slice>, entry: &Entry, depth: usize) -> String {
    let Some(depth) = depth.checked_sub(1) else {
        return "...".to_owned();
    };
    let inner = || {
        let inner = type_of(entry).and_then(|inner| {
            follow(unit, inner, &mut |unit, entry| {
                Some(type_name(unit, entry, depth))
            })
        });
        inner.unwrap_or_else(|| "void".to_string())
    };
    if let Some(name) = name(unit, entry) {
        return match keyword(entry.tag()) {
            Some(keyword) if is_c(unit) => format!("{keyword} {name}"),
            _ => name,
        };
    }
    match entry.tag() {
        gimli::DW_TAG_pointer_type => format!("{} *", inner()),
        gimli::DW_TAG_reference_type => format!("{} &", inner()),
        gimli::DW_TAG_rvalue_reference_type => format!("{} &&", inner()),
        gimli::DW_TAG_subroutine_type => format!("{} (...)", inner()),
        gimli::DW_TAG_array_type => {
            let mut text = inner();
            for count in dimensions(unit, entry) {
                let count = count.map_or_else(String::new, |count| count.to_string());
                text.push_str(&format!("[{count}]"));
            }
            text
        }
        tag => match (qualifier(tag), keyword(tag)) {
            (Some(qualifier), _) => format!("{qualifier} {}", inner()),
            (None, Some(keyword)) => format!("unnamed {keyword}"),
            (None, None) => "unnamed type".to_string(),
        },
    }
}

fn keyword(tag: DwTag) -> Option<&'static str> {
    Some(match tag {
        gimli::DW_TAG_structure_type => "struct",
        gimli::DW_TAG_class_type => "class",
        gimli::DW_TAG_union_type => "union",
        gimli::DW_TAG_enumeration_type => "enum",
        _ => return None,
    })
}

/// In C the names of structures stand behind a keyword.
pub(super) fn is_c(unit: UnitRef<'_, Slice>) -> bool {
    matches!(
        language(unit),
        Some(gimli::DW_LANG_C89 | gimli::DW_LANG_C | gimli::DW_LANG_C99 | gimli::DW_LANG_C11)
    )
}

pub(super) fn is_cxx(unit: UnitRef<'_, Slice>) -> bool {
    matches!(
        language(unit),
        Some(
            gimli::DW_LANG_C_plus_plus
                | gimli::DW_LANG_C_plus_plus_03
                | gimli::DW_LANG_C_plus_plus_11
                | gimli::DW_LANG_C_plus_plus_14
                | gimli::DW_LANG_C_plus_plus_17
                | gimli::DW_LANG_C_plus_plus_20
        )
    )
}

fn language(unit: UnitRef<'_, Slice>) -> Option<gimli::DwLang> {
    let root = unit.entry(unit.header.root_offset()).ok()?;
    match root.attr_value(gimli::DW_AT_language) {
        Some(AttributeValue::Language(language)) => Some(language),
        _ => None,
    }
}
