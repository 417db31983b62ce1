//! Stages of oneTBB's pipelines.
//!
//! The library calls them, hands items from one thread to another and lets
//! only one at a time into a stage that is serial, all without a function that
//! could be intercepted. So the stages themselves tell the runtime.

use crate::access::Collected;
use crate::llvm::builder::Builder;
use crate::llvm::value::Value;
use crate::runtime::Runtime;

/// Is it `tbb::detail::d1::concrete_filter<...>::operator()(void *)`?
pub(crate) fn is_stage(name: &str) -> bool {
    name.starts_with("_ZN3tbb6detail2d115concrete_filterI") && name.ends_with("EclEPv")
}

/// Tells the runtime when the stage begins and when it is done.
pub(crate) fn instrument(runtime: &Runtime<'_>, function: Value, found: &Collected) {
    let Some(filter) = function.parameters().first().copied() else {
        return;
    };
    let start = function.entry_insertion_point();
    let builder = Builder::before_at(runtime.module, start, function.line_zero());
    builder.call(runtime.filter_begin(), &[filter]);
    for exit in &found.exits {
        Builder::before(runtime.module, *exit).call(runtime.filter_end(), &[]);
    }
}

#[cfg(test)]
mod tests {
    use super::is_stage;

    #[test]
    fn names() {
        assert!(is_stage(
            "_ZN3tbb6detail2d115concrete_filterIiiZL1fvE3$_1EclEPv"
        ));
        assert!(!is_stage(
            "_ZN3tbb6detail2d115concrete_filterIiiZL1fvE3$_1E8finalizeEPv"
        ));
        assert!(!is_stage("_ZN3own15concrete_filterIiiEclEPv"));
    }
}
