//! Declarations of the C++ shim's functions (`shim/*.cpp`).

use super::sys::prelude::{LLVMBasicBlockRef, LLVMModuleRef, LLVMTypeRef, LLVMValueRef};
use std::ffi::{c_char, c_int, c_uint, c_void};

/// The shim's handle on the analyses of the module being instrumented.
#[repr(C)]
pub(crate) struct RawAnalyses {
    opaque: [u8; 0],
}

unsafe extern "C" {
    pub(crate) fn racert_plugin_api_version() -> u32;
    pub(crate) fn racert_register(pass_builder: *mut c_void);
    pub(crate) fn racert_option_ignorelist() -> *const c_char;
    pub(crate) fn racert_option_stats() -> bool;
    pub(crate) fn racert_option_loops() -> bool;
    pub(crate) fn racert_option_front_end_opt_out() -> bool;

    pub(crate) fn racert_kind(instruction: LLVMValueRef) -> c_int;
    pub(crate) fn racert_is_single_thread(instruction: LLVMValueRef) -> bool;
    pub(crate) fn racert_is_atomic(instruction: LLVMValueRef) -> bool;
    pub(crate) fn racert_order(instruction: LLVMValueRef, failure: bool) -> c_int;
    pub(crate) fn racert_rmw_operation(instruction: LLVMValueRef) -> c_int;
    pub(crate) fn racert_is_vtable_access(instruction: LLVMValueRef) -> bool;
    pub(crate) fn racert_is_volatile(instruction: LLVMValueRef) -> bool;
    pub(crate) fn racert_is_musttail(instruction: LLVMValueRef) -> bool;
    pub(crate) fn racert_returns_twice(call: LLVMValueRef) -> bool;
    pub(crate) fn racert_call_is_quiet(call: LLVMValueRef) -> bool;
    pub(crate) fn racert_is_inline_only(intrinsic: LLVMValueRef) -> bool;
    pub(crate) fn racert_mem_alignment(intrinsic: LLVMValueRef, source: bool) -> c_uint;
    pub(crate) fn racert_byval_type(call: LLVMValueRef, index: c_uint) -> LLVMTypeRef;
    pub(crate) fn racert_param_alignment(call: LLVMValueRef, index: c_uint) -> c_uint;
    pub(crate) fn racert_element_type(call: LLVMValueRef, index: c_uint) -> LLVMTypeRef;
    pub(crate) fn racert_masked_mask(intrinsic: LLVMValueRef) -> LLVMValueRef;
    pub(crate) fn racert_split_if(
        condition: LLVMValueRef,
        before: LLVMValueRef,
        cold: bool,
    ) -> LLVMValueRef;
    pub(crate) fn racert_generalise_intrinsics(function: LLVMValueRef);
    pub(crate) fn racert_expand_element_copies(analyses: *mut RawAnalyses, function: LLVMValueRef);
    pub(crate) fn racert_gather_allocas(function: LLVMValueRef);
    pub(crate) fn racert_entry_insertion_point(function: LLVMValueRef) -> LLVMValueRef;
    pub(crate) fn racert_first_insertion_point(block: LLVMBasicBlockRef) -> LLVMValueRef;
    pub(crate) fn racert_after(instruction: LLVMValueRef) -> LLVMValueRef;
    pub(crate) fn racert_append_constructor(
        module: LLVMModuleRef,
        function: LLVMValueRef,
        priority: c_int,
    );
    pub(crate) fn racert_drop_inferred_attributes(function: LLVMValueRef);
    pub(crate) fn racert_error(module: LLVMModuleRef, message: *const c_char, length: usize);
    pub(crate) fn racert_set_nosanitize(instruction: LLVMValueRef);
    pub(crate) fn racert_has_nosanitize(instruction: LLVMValueRef) -> bool;
    pub(crate) fn racert_is_invariant_load(instruction: LLVMValueRef) -> bool;
    pub(crate) fn racert_is_swift_error(value: LLVMValueRef) -> bool;
    pub(crate) fn racert_set_called_function(call: LLVMValueRef, function: LLVMValueRef);

    pub(crate) fn racert_enter_function(analyses: *mut RawAnalyses, function: LLVMValueRef);
    pub(crate) fn racert_may_be_captured(value: LLVMValueRef) -> bool;
    pub(crate) fn racert_is_fresh_allocation(value: LLVMValueRef) -> bool;
    pub(crate) fn racert_underlying_object(value: LLVMValueRef) -> LLVMValueRef;
    pub(crate) fn racert_known_low_bits(
        analyses: *mut RawAnalyses,
        value: LLVMValueRef,
        at: LLVMValueRef,
    ) -> c_uint;
    pub(crate) fn racert_base_and_offset(
        analyses: *mut RawAnalyses,
        value: LLVMValueRef,
        offset: *mut i64,
    ) -> LLVMValueRef;

    pub(crate) fn racert_for_each_loop(
        analyses: *mut RawAnalyses,
        visit: extern "C" fn(*mut c_void, *mut c_void),
        context: *mut c_void,
    );
    pub(crate) fn racert_loop_preheader_end(each: *mut c_void) -> LLVMValueRef;
    pub(crate) fn racert_loop_is_innermost_of(
        analyses: *mut RawAnalyses,
        each: *mut c_void,
        block: LLVMBasicBlockRef,
    ) -> bool;
    pub(crate) fn racert_loop_for_each_block(
        each: *mut c_void,
        visit: extern "C" fn(*mut c_void, LLVMBasicBlockRef),
        context: *mut c_void,
    );
    pub(crate) fn racert_loop_always_runs(
        analyses: *mut RawAnalyses,
        each: *mut c_void,
        instruction: LLVMValueRef,
    ) -> bool;
    pub(crate) fn racert_loop_is_invariant(each: *mut c_void, value: LLVMValueRef) -> bool;
    pub(crate) fn racert_loop_executions(
        analyses: *mut RawAnalyses,
        each: *mut c_void,
        instruction: LLVMValueRef,
    ) -> c_int;
    pub(crate) fn racert_loop_stride(
        analyses: *mut RawAnalyses,
        each: *mut c_void,
        pointer: LLVMValueRef,
        stride: *mut i64,
    ) -> bool;
    pub(crate) fn racert_loop_distance(
        analyses: *mut RawAnalyses,
        each: *mut c_void,
        first: LLVMValueRef,
        second: LLVMValueRef,
        distance: *mut i64,
    ) -> bool;
    pub(crate) fn racert_loop_expand_range(
        analyses: *mut RawAnalyses,
        each: *mut c_void,
        pointer: LLVMValueRef,
        span: u64,
        executions: c_int,
        start: *mut LLVMValueRef,
        length: *mut LLVMValueRef,
    ) -> bool;

    pub(crate) fn racert_loop_for_each_exit(
        each: *mut c_void,
        visit: extern "C" fn(*mut c_void, LLVMValueRef, LLVMBasicBlockRef),
        context: *mut c_void,
    );
    pub(crate) fn racert_loop_contains(each: *mut c_void, block: LLVMBasicBlockRef) -> bool;
    pub(crate) fn racert_loop_header(each: *mut c_void) -> LLVMBasicBlockRef;
    pub(crate) fn racert_loop_parent(each: *mut c_void) -> *mut c_void;
    pub(crate) fn racert_loop_of_block(
        analyses: *mut RawAnalyses,
        block: LLVMBasicBlockRef,
    ) -> *mut c_void;
    pub(crate) fn racert_dominates(
        analyses: *mut RawAnalyses,
        definition: LLVMValueRef,
        at: LLVMValueRef,
    ) -> bool;
    pub(crate) fn racert_forget_function(analyses: *mut RawAnalyses, function: LLVMValueRef);
    pub(crate) fn racert_is_readable(
        pointer: LLVMValueRef,
        module: LLVMModuleRef,
        offset: i64,
        size: u64,
    ) -> bool;
    pub(crate) fn racert_is_same_operation(first: LLVMValueRef, second: LLVMValueRef) -> bool;
    pub(crate) fn racert_is_interposable(function: LLVMValueRef) -> bool;
    pub(crate) fn racert_is_forwarder(block: LLVMBasicBlockRef) -> bool;
    pub(crate) fn racert_edge_insertion_point(
        terminator: LLVMValueRef,
        successor: LLVMBasicBlockRef,
    ) -> LLVMValueRef;
    pub(crate) fn racert_set_nocapture(call: LLVMValueRef, index: c_uint);
    pub(crate) fn racert_for_each_annotation(
        module: LLVMModuleRef,
        visit: extern "C" fn(*mut c_void, LLVMValueRef, *const c_char, usize),
        context: *mut c_void,
    );
}
