//! Which functions those are.

/// The functions' paths in Rust's mangled names, old and new.
const PATHS: [&str; 4] = [
    "14stack_overflow3imp12make_handler",
    "14stack_overflow3imp12drop_handler",
    "14stack_overflow11thread_info16set_current_info",
    "14stack_overflow11thread_info19delete_current_info",
];

/// Is `name` that of such a function?
pub(crate) fn is_one(name: &str) -> bool {
    PATHS.iter().any(|path| {
        name.split_once(path).is_some_and(|(before, behind)| {
            before.contains("3std3sys") && (behind.is_empty() || behind.starts_with("17h"))
        })
    })
}
