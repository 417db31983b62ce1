//! Values: instructions, functions, globals, constants.

use super::call;
use super::shim::*;
use super::sys::core::*;
use super::sys::debuginfo::{
    LLVMDIBuilderCreateDebugLocation, LLVMDIFileGetFilename, LLVMDIScopeGetFile, LLVMGetSubprogram,
    LLVMInstructionGetDebugLoc,
};
use super::sys::prelude::{LLVMBasicBlockRef, LLVMMetadataRef, LLVMValueRef};
use super::sys::{LLVMAttributeFunctionIndex, LLVMLinkage};
use super::types::Type;

/// Any LLVM value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub(crate) struct Value(pub(super) LLVMValueRef);

/// A basic block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Block(pub(super) LLVMBasicBlockRef);

/// A debug location, or none.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct DebugLocation(pub(super) LLVMMetadataRef);

/// What an instruction is, as far as the pass cares. Mirrors `Kind` in
/// `shim/inspect.cpp`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// Nothing the pass looks at.
    Other,
    /// A load, atomic or not.
    Load,
    /// A store, atomic or not.
    Store,
    /// An atomic compare-exchange.
    CompareExchange,
    /// An atomic read-modify-write.
    AtomicRmw,
    /// A fence.
    Fence,
    /// A call or invoke of a function or function pointer.
    Call,
    /// `llvm.memcpy`, `llvm.memcpy.inline`.
    MemCpy,
    /// `llvm.memmove`.
    MemMove,
    /// `llvm.memset`, `llvm.memset.inline`.
    MemSet,
    /// `llvm.masked.load`.
    MaskedLoad,
    /// `llvm.masked.store`.
    MaskedStore,
    /// `llvm.masked.gather`.
    Gather,
    /// `llvm.masked.scatter`.
    Scatter,
    /// `llvm.masked.expandload`.
    ExpandLoad,
    /// `llvm.masked.compressstore`.
    CompressStore,
    /// A call of inline assembly.
    InlineAsm,
    /// `ret`.
    Return,
    /// `resume`.
    Resume,
    /// `landingpad`.
    LandingPad,
    /// An intrinsic that neither synchronises nor calls back.
    QuietIntrinsic,
    /// Any other intrinsic.
    Intrinsic,
    /// `llvm.experimental.memset.pattern`.
    MemSetPattern,
    /// `unreachable`.
    Unreachable,
    /// A funclet's unwinding out of the function.
    UnwindExit,
    /// Start or end of an alloca's lifetime.
    Lifetime,
}

impl Kind {
    fn from_raw(raw: i32) -> Kind {
        use Kind::*;
        const KINDS: [Kind; 26] = [
            Other,
            Load,
            Store,
            CompareExchange,
            AtomicRmw,
            Fence,
            Call,
            MemCpy,
            MemMove,
            MemSet,
            MaskedLoad,
            MaskedStore,
            Gather,
            Scatter,
            ExpandLoad,
            CompressStore,
            InlineAsm,
            Return,
            Resume,
            LandingPad,
            QuietIntrinsic,
            Intrinsic,
            MemSetPattern,
            Unreachable,
            UnwindExit,
            Lifetime,
        ];
        KINDS[usize::try_from(raw).expect("kinds are not negative")]
    }
}

impl Value {
    pub(super) fn option(raw: LLVMValueRef) -> Option<Value> {
        (!raw.is_null()).then_some(Value(raw))
    }

    /// The value's type.
    pub(crate) fn ty(self) -> Type {
        Type(call!(LLVMTypeOf(self.0)))
    }

    /// The value's name; empty if it has none.
    pub(crate) fn name(self) -> String {
        let mut length = 0;
        let start = call!(LLVMGetValueName2(self.0, &mut length));
        bytes_to_string(start.cast(), length)
    }

    /// Gives the value another name.
    pub(crate) fn set_name(self, name: &str) {
        call!(LLVMSetValueName2(self.0, name.as_ptr().cast(), name.len()));
    }

    /// What kind of instruction this is.
    pub(crate) fn kind(self) -> Kind {
        Kind::from_raw(call!(racert_kind(self.0)))
    }

    /// Operand `index`.
    pub(crate) fn operand(self, index: u32) -> Value {
        Value(call!(LLVMGetOperand(self.0, index)))
    }

    /// Makes operand `index`, an integer, the constant `value`.
    pub(crate) fn set_constant_operand(self, index: u32, value: u64) {
        let ty = self.operand(index).ty();
        let constant = call!(LLVMConstInt(ty.0, value, 0));
        call!(LLVMSetOperand(self.0, index, constant));
    }

    /// The address of a load, store or other atomic operation.
    pub(crate) fn pointer_operand(self) -> Value {
        self.operand(if self.kind() == Kind::Store { 1 } else { 0 })
    }

    /// The number of arguments of a call.
    pub(crate) fn argument_count(self) -> u32 {
        call!(LLVMGetNumArgOperands(self.0))
    }

    /// The called function or function pointer.
    pub(crate) fn callee(self) -> Value {
        Value(call!(LLVMGetCalledValue(self.0)))
    }

    /// This value as a function, if it is one.
    pub(crate) fn as_function(self) -> Option<Value> {
        Value::option(call!(LLVMIsAFunction(self.0)))
    }

    /// Whether inline assembly does more than compute its outputs.
    pub(crate) fn asm_has_side_effects(self) -> bool {
        call!(LLVMGetInlineAsmHasSideEffects(self.0)) != 0
    }

    /// Whether this is an `alloca`.
    pub(crate) fn is_alloca(self) -> bool {
        !call!(LLVMIsAAllocaInst(self.0)).is_null()
    }

    /// Whether this is a call that returns memory nobody else knows.
    pub(crate) fn is_fresh_allocation(self) -> bool {
        call!(racert_is_fresh_allocation(self.0))
    }

    /// Whether this is a global variable.
    pub(crate) fn is_global_variable(self) -> bool {
        !call!(LLVMIsAGlobalVariable(self.0)).is_null()
    }

    /// Whether a global variable is constant.
    pub(crate) fn is_global_constant(self) -> bool {
        call!(LLVMIsGlobalConstant(self.0)) != 0
    }

    /// The value of an integer constant of at most 64 bits.
    pub(crate) fn as_constant_int(self) -> Option<u64> {
        let constant = call!(LLVMIsAConstantInt(self.0));
        (!constant.is_null()).then(|| call!(LLVMConstIntGetZExtValue(constant)))
    }

    /// A global's section; empty if it is the default one.
    pub(crate) fn section(self) -> String {
        let section = call!(LLVMGetSection(self.0));
        if section.is_null() {
            return String::new();
        }
        // SAFETY: LLVM returns a C string that lives as long as the global.
        unsafe { std::ffi::CStr::from_ptr(section) }
            .to_string_lossy()
            .into_owned()
    }

    /// The address space of a pointer or vector of pointers.
    pub(crate) fn address_space(self) -> u32 {
        call!(LLVMGetPointerAddressSpace(LLVMTypeOf(self.0)))
    }

    /// Alignment of a load, store or atomic operation.
    pub(crate) fn alignment(self) -> u64 {
        u64::from(call!(LLVMGetAlignment(self.0)))
    }

    /// Whether the instruction is an atomic operation.
    pub(crate) fn is_atomic(self) -> bool {
        call!(racert_is_atomic(self.0))
    }

    /// Whether its atomicity concerns this thread only.
    pub(crate) fn is_single_thread(self) -> bool {
        call!(racert_is_single_thread(self.0))
    }

    /// The memory order as C11 numbers it.
    pub(crate) fn order(self) -> i32 {
        call!(racert_order(self.0, false))
    }

    /// The memory order of a failing compare-exchange.
    pub(crate) fn failure_order(self) -> i32 {
        call!(racert_order(self.0, true))
    }

    /// Which read-modify-write operation, as LLVM numbers it.
    pub(crate) fn rmw_operation(self) -> i32 {
        call!(racert_rmw_operation(self.0))
    }

    /// Whether the access is to a vtable pointer, going by its alias metadata.
    pub(crate) fn is_vtable_access(self) -> bool {
        call!(racert_is_vtable_access(self.0))
    }

    /// Whether a memory operation is volatile.
    pub(crate) fn is_volatile(self) -> bool {
        call!(racert_is_volatile(self.0))
    }

    /// Whether this is a call marked `musttail`.
    pub(crate) fn is_musttail(self) -> bool {
        call!(racert_is_musttail(self.0))
    }

    /// Whether a call may return twice, as `setjmp` does.
    pub(crate) fn returns_twice(self) -> bool {
        call!(racert_returns_twice(self.0))
    }

    /// Whether a call can neither synchronise nor reach memory.
    pub(crate) fn is_quiet_call(self) -> bool {
        call!(racert_call_is_quiet(self.0))
    }

    /// Whether a memory intrinsic must not become a library call.
    pub(crate) fn is_inline_only(self) -> bool {
        call!(racert_is_inline_only(self.0))
    }

    /// Alignment of a memory intrinsic's destination.
    pub(crate) fn destination_alignment(self) -> u64 {
        u64::from(call!(racert_mem_alignment(self.0, false)))
    }

    /// Alignment of a memory transfer's source.
    pub(crate) fn source_alignment(self) -> u64 {
        u64::from(call!(racert_mem_alignment(self.0, true)))
    }

    /// The type by which argument `index` is copied, if it is `byval`.
    pub(crate) fn byval_type(self, index: u32) -> Option<Type> {
        let ty = call!(racert_byval_type(self.0, index));
        (!ty.is_null()).then_some(Type(ty))
    }

    /// The alignment a call promises for pointer argument `index`.
    pub(crate) fn argument_alignment(self, index: u32) -> u64 {
        u64::from(call!(racert_param_alignment(self.0, index)))
    }

    /// The `elementtype` of argument `index` of inline assembly.
    pub(crate) fn argument_element_type(self, index: u32) -> Option<Type> {
        let ty = call!(racert_element_type(self.0, index));
        (!ty.is_null()).then_some(Type(ty))
    }

    /// The mask of a masked memory intrinsic.
    pub(crate) fn mask(self) -> Option<Value> {
        Value::option(call!(racert_masked_mask(self.0)))
    }

    /// Whether the front end asked that no sanitizer touch the instruction.
    pub(crate) fn has_nosanitize(self) -> bool {
        call!(racert_has_nosanitize(self.0))
    }

    /// Asks that no sanitizer touch the instruction.
    pub(crate) fn set_nosanitize(self) {
        call!(racert_set_nosanitize(self.0));
    }

    /// Of the address of a member: the type that it is a member of, and which
    /// one. Elements of arrays are members of no particular number.
    pub(crate) fn member(self) -> Option<(Type, Vec<Option<u64>>)> {
        if call!(LLVMIsAGetElementPtrInst(self.0)).is_null() {
            return None;
        }
        let count = call!(LLVMGetNumOperands(self.0)) as u32;
        let path: Vec<Option<u64>> = (2..count)
            .map(|index| self.operand(index).as_constant_int())
            .collect();
        let of = Type(call!(LLVMGetGEPSourceElementType(self.0)));
        (!path.is_empty()).then_some((of, path))
    }

    /// Whether a load reads memory that never changes.
    pub(crate) fn is_invariant_load(self) -> bool {
        call!(racert_is_invariant_load(self.0))
    }

    /// Whether this is Swift's error register in disguise.
    pub(crate) fn is_swift_error(self) -> bool {
        call!(racert_is_swift_error(self.0))
    }

    /// Whether a local object's address may be known outside its function.
    pub(crate) fn may_be_captured(self) -> bool {
        call!(racert_may_be_captured(self.0))
    }

    /// The object a pointer points into, as far as it can be traced.
    pub(crate) fn underlying_object(self) -> Value {
        Value(call!(racert_underlying_object(self.0)))
    }

    /// The block an instruction is in.
    pub(crate) fn block(self) -> Block {
        Block(call!(LLVMGetInstructionParent(self.0)))
    }

    /// The instruction that runs after this one completes normally.
    pub(crate) fn after(self) -> Option<Value> {
        Value::option(call!(racert_after(self.0)))
    }

    /// The next instruction of the block.
    pub(crate) fn next_instruction(self) -> Option<Value> {
        Value::option(call!(LLVMGetNextInstruction(self.0)))
    }

    /// Makes every user of this value use `other`, and erases this one.
    pub(crate) fn replace_and_erase(self, other: Option<Value>) {
        if let Some(other) = other {
            call!(LLVMReplaceAllUsesWith(self.0, other.0));
        }
        call!(LLVMInstructionEraseFromParent(self.0));
    }

    /// Makes a call call another function of the same type.
    pub(crate) fn set_called_function(self, function: Value) {
        call!(racert_set_called_function(self.0, function.0));
    }

    /// The template of an inline assembly value.
    pub(crate) fn asm_template(self) -> String {
        let mut length = 0;
        let start = call!(LLVMGetInlineAsmAsmString(self.0, &mut length));
        bytes_to_string(start.cast(), length)
    }

    /// The constraints of an inline assembly value.
    pub(crate) fn asm_constraints(self) -> String {
        let mut length = 0;
        let start = call!(LLVMGetInlineAsmConstraintString(self.0, &mut length));
        bytes_to_string(start.cast(), length)
    }

    /// The instruction's own debug location, or line 0 of the function.
    pub(crate) fn debug_location(self) -> DebugLocation {
        let own = call!(LLVMInstructionGetDebugLoc(self.0));
        if !own.is_null() {
            return DebugLocation(own);
        }
        Value(call!(LLVMGetBasicBlockParent(LLVMGetInstructionParent(
            self.0
        ))))
        .line_zero()
    }

    // Functions.

    /// Line 0 in this function's scope, if it has debug information.
    pub(crate) fn line_zero(self) -> DebugLocation {
        let scope = call!(LLVMGetSubprogram(self.0));
        if scope.is_null() {
            return DebugLocation(scope);
        }
        DebugLocation(call!(LLVMDIBuilderCreateDebugLocation(
            LLVMGetTypeContext(LLVMTypeOf(self.0)),
            0,
            0,
            scope,
            std::ptr::null_mut()
        )))
    }

    /// The file in which the function is defined, from its debug information.
    pub(crate) fn source_file(self) -> Option<String> {
        let scope = call!(LLVMGetSubprogram(self.0));
        if scope.is_null() {
            return None;
        }
        let file = call!(LLVMDIScopeGetFile(scope));
        if file.is_null() {
            return None;
        }
        let mut length = 0;
        let start = call!(LLVMDIFileGetFilename(file, &mut length));
        Some(bytes_to_string(start.cast(), length as usize))
    }

    /// Whether functions of other modules can call this one, and have no copy
    /// of their own.
    pub(crate) fn is_external(self) -> bool {
        matches!(
            call!(LLVMGetLinkage(self.0)),
            LLVMLinkage::LLVMExternalLinkage
                | LLVMLinkage::LLVMWeakAnyLinkage
                | LLVMLinkage::LLVMWeakODRLinkage
        )
    }

    /// Whether the function or variable has no definition here.
    pub(crate) fn is_declaration(self) -> bool {
        call!(LLVMIsDeclaration(self.0)) != 0
    }

    /// Whether the definition is a copy that is not emitted.
    pub(crate) fn is_available_externally(self) -> bool {
        call!(LLVMGetLinkage(self.0)) == LLVMLinkage::LLVMAvailableExternallyLinkage
    }

    /// The function's blocks in order.
    pub(crate) fn blocks(self) -> impl Iterator<Item = Block> {
        let first = call!(LLVMGetFirstBasicBlock(self.0));
        std::iter::successors((!first.is_null()).then_some(Block(first)), |block| {
            let next = call!(LLVMGetNextBasicBlock(block.0));
            (!next.is_null()).then_some(Block(next))
        })
    }

    /// Whether the function has the enum attribute called `name`.
    pub(crate) fn has_attribute(self, name: &str) -> bool {
        let kind = call!(LLVMGetEnumAttributeKindForName(
            name.as_ptr().cast(),
            name.len()
        ));
        !call!(LLVMGetEnumAttributeAtIndex(
            self.0,
            LLVMAttributeFunctionIndex,
            kind
        ))
        .is_null()
    }

    /// Gives the function the enum attribute called `name`.
    pub(crate) fn add_attribute(self, name: &str) {
        let kind = call!(LLVMGetEnumAttributeKindForName(
            name.as_ptr().cast(),
            name.len()
        ));
        let context = call!(LLVMGetTypeContext(LLVMTypeOf(self.0)));
        let attribute = call!(LLVMCreateEnumAttribute(context, kind, 0));
        call!(LLVMAddAttributeAtIndex(
            self.0,
            LLVMAttributeFunctionIndex,
            attribute
        ));
    }

    /// Takes the enum attribute called `name` from the function.
    pub(crate) fn remove_attribute(self, name: &str) {
        let kind = call!(LLVMGetEnumAttributeKindForName(
            name.as_ptr().cast(),
            name.len()
        ));
        call!(LLVMRemoveEnumAttributeAtIndex(
            self.0,
            LLVMAttributeFunctionIndex,
            kind
        ));
    }

    /// The value of the function's string attribute `name`.
    pub(crate) fn string_attribute(self, name: &str) -> Option<String> {
        let length = u32::try_from(name.len()).expect("attribute name");
        let attribute = call!(LLVMGetStringAttributeAtIndex(
            self.0,
            LLVMAttributeFunctionIndex,
            name.as_ptr().cast(),
            length
        ));
        if attribute.is_null() {
            return None;
        }
        let mut length = 0;
        let start = call!(LLVMGetStringAttributeValue(attribute, &mut length));
        Some(bytes_to_string(start.cast(), length as usize))
    }

    /// Gives the function the string attribute `name` without a value.
    pub(crate) fn add_string_attribute(self, name: &str) {
        let context = call!(LLVMGetTypeContext(LLVMTypeOf(self.0)));
        let length = u32::try_from(name.len()).expect("attribute name");
        let attribute = call!(LLVMCreateStringAttribute(
            context,
            name.as_ptr().cast(),
            length,
            c"".as_ptr(),
            0
        ));
        call!(LLVMAddAttributeAtIndex(
            self.0,
            LLVMAttributeFunctionIndex,
            attribute
        ));
    }

    /// Drops what LLVM inferred about the memory use of the function.
    pub(crate) fn drop_inferred_attributes(self) {
        call!(racert_drop_inferred_attributes(self.0));
    }

    /// Turns the processor's own vector accesses into LLVM's general ones.
    pub(crate) fn generalise_intrinsics(self) {
        call!(racert_generalise_intrinsics(self.0));
    }

    /// Moves fixed-size allocas to the top of the entry block, so that the
    /// block can be split.
    pub(crate) fn gather_allocas(self) {
        call!(racert_gather_allocas(self.0));
    }

    /// The first place in the entry block after the allocas.
    pub(crate) fn entry_insertion_point(self) -> Value {
        Value(call!(racert_entry_insertion_point(self.0)))
    }
}

impl Block {
    /// The block's instructions in order.
    pub(crate) fn instructions(self) -> impl Iterator<Item = Value> {
        let first = call!(LLVMGetFirstInstruction(self.0));
        std::iter::successors(Value::option(first), |i| i.next_instruction())
    }

    /// The blocks that may run next.
    pub(crate) fn successors(self) -> impl Iterator<Item = Block> {
        let end = call!(LLVMGetBasicBlockTerminator(self.0));
        let count = if end.is_null() {
            0
        } else {
            call!(LLVMGetNumSuccessors(end))
        };
        (0..count).map(move |index| Block(call!(LLVMGetSuccessor(end, index))))
    }

    /// Where code may be inserted behind phi nodes and landing pad.
    pub(crate) fn first_insertion_point(self) -> Option<Value> {
        Value::option(call!(racert_first_insertion_point(self.0)))
    }
}

pub(super) fn bytes_to_string(start: *const u8, length: usize) -> String {
    if start.is_null() {
        return String::new();
    }
    // SAFETY: LLVM returns a buffer of that length that the module owns.
    let bytes = unsafe { std::slice::from_raw_parts(start, length) };
    String::from_utf8_lossy(bytes).into_owned()
}
