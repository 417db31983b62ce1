//! The module being instrumented and the runtime's entry points declared in it.

use super::builder::{Callee, Convention};
use super::call;
use super::shim::{racert_append_constructor, racert_error};
use super::sys::comdat::{LLVMGetOrInsertComdat, LLVMSetComdat};
use super::sys::core::*;
use super::sys::prelude::{LLVMContextRef, LLVMModuleRef, LLVMValueRef};
use super::sys::target::LLVMGetModuleDataLayout;
use super::sys::{
    LLVMAttributeFunctionIndex, LLVMAttributeIndex, LLVMInlineAsmDialect, LLVMLinkage,
    LLVMModuleFlagBehavior, LLVMThreadLocalMode, LLVMVisibility,
};
use super::types::{Type, Types};
use super::value::Value;
use racert_abi::sync_loop;
use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::CString;

/// The module the host compiler is working on.
pub(crate) struct Module {
    raw: LLVMModuleRef,
    /// Types in the module's context.
    pub(crate) types: Types,
    entries: RefCell<HashMap<String, Callee>>,
}

impl Module {
    /// Wraps the host's module.
    pub(crate) fn new(raw: LLVMModuleRef) -> Module {
        let context = call!(LLVMGetModuleContext(raw));
        let types = Types::new(context, call!(LLVMGetModuleDataLayout(raw)));
        Module {
            raw,
            types,
            entries: RefCell::default(),
        }
    }

    pub(super) fn raw(&self) -> LLVMModuleRef {
        self.raw
    }

    pub(super) fn context(&self) -> LLVMContextRef {
        call!(LLVMGetModuleContext(self.raw))
    }

    /// The functions of the module, declarations included.
    pub(crate) fn functions(&self) -> Vec<Value> {
        std::iter::successors(Value::option(call!(LLVMGetFirstFunction(self.raw))), |f| {
            Value::option(call!(LLVMGetNextFunction(f.0)))
        })
        .collect()
    }

    /// The functions that choose the implementation of an ifunc.
    pub(crate) fn ifunc_resolvers(&self) -> Vec<Value> {
        std::iter::successors(
            Value::option(call!(LLVMGetFirstGlobalIFunc(self.raw))),
            |f| Value::option(call!(LLVMGetNextGlobalIFunc(f.0))),
        )
        .filter_map(|ifunc| Value::option(call!(LLVMGetGlobalIFuncResolver(ifunc.0))))
        .filter_map(Value::as_function)
        .collect()
    }

    /// The target triple.
    pub(crate) fn triple(&self) -> String {
        // SAFETY: LLVM returns a C string the module owns.
        unsafe { std::ffi::CStr::from_ptr(LLVMGetTarget(self.raw)) }
            .to_string_lossy()
            .into_owned()
    }

    /// The source file the module was made from.
    pub(crate) fn source_file(&self) -> String {
        let mut length = 0;
        let start = call!(LLVMGetSourceFileName(self.raw, &mut length));
        // SAFETY: LLVM returns a buffer of that length the module owns.
        let bytes = unsafe { std::slice::from_raw_parts(start.cast::<u8>(), length) };
        String::from_utf8_lossy(bytes).into_owned()
    }

    /// Whether the module flag is set.
    pub(crate) fn has_flag(&self, name: &str) -> bool {
        !call!(LLVMGetModuleFlag(
            self.raw,
            name.as_ptr().cast(),
            name.len()
        ))
        .is_null()
    }

    /// Sets a module flag; modules linked together may disagree about it.
    pub(crate) fn set_flag(&self, name: &str) {
        let one = call!(LLVMValueAsMetadata(self.types.i32.constant(1).0));
        let behaviour = LLVMModuleFlagBehavior::LLVMModuleFlagBehaviorOverride;
        call!(LLVMAddModuleFlag(
            self.raw,
            behaviour,
            name.as_ptr().cast(),
            name.len(),
            one
        ));
    }

    /// Reports an error; the compilation fails.
    pub(crate) fn error(&self, message: &str) {
        call!(racert_error(
            self.raw,
            message.as_ptr().cast(),
            message.len()
        ));
    }

    /// The runtime's entry point of that name and type.
    pub(crate) fn entry(
        &self,
        name: &str,
        result: Type,
        parameters: &[Type],
        convention: Convention,
    ) -> Callee {
        if let Some(callee) = self.entries.borrow().get(name) {
            return *callee;
        }
        let ty = self.types.function(result, parameters);
        let c_name = CString::new(name).expect("entry points have plain names");
        let mut function = call!(LLVMGetNamedFunction(self.raw, c_name.as_ptr()));
        if function.is_null() {
            function = call!(LLVMAddFunction(self.raw, c_name.as_ptr(), ty.0));
            call!(LLVMSetFunctionCallConv(function, convention.number()));
            self.attribute(function, LLVMAttributeFunctionIndex, "nounwind");
            if convention == Convention::PreserveMost {
                self.attribute(function, LLVMAttributeFunctionIndex, "cold");
            }
            // The C convention leaves the upper bits of narrow arguments
            // open; callees rely on them being zero.
            for (index, parameter) in (1u32..).zip(parameters) {
                if *parameter == self.types.int(8) || *parameter == self.types.int(16) {
                    self.attribute(function, index, "zeroext");
                }
            }
        }
        if convention == Convention::PreserveMost {
            function = self.jump(name, function, ty);
        }
        let callee = Callee {
            function: Value(function),
            ty,
            convention,
        };
        self.entries.borrow_mut().insert(name.to_owned(), callee);
        callee
    }

    /// A hidden function that jumps to a preserve_most entry point.
    ///
    /// Called through a lazily bound PLT, such an entry point would lose
    /// registers to the dynamic linker; called through the GOT, its address
    /// would occupy a register in every loop with a check. Jumping, the return
    /// address stays that of the check.
    fn jump(&self, name: &str, target: LLVMValueRef, ty: Type) -> LLVMValueRef {
        let name = CString::new(format!("{name}.jump")).expect("entry points have plain names");
        let existing = call!(LLVMGetNamedFunction(self.raw, name.as_ptr()));
        if !existing.is_null() {
            return existing;
        }
        let function = call!(LLVMAddFunction(self.raw, name.as_ptr(), ty.0));
        call!(LLVMSetLinkage(
            function,
            LLVMLinkage::LLVMLinkOnceODRLinkage
        ));
        call!(LLVMSetVisibility(
            function,
            LLVMVisibility::LLVMHiddenVisibility
        ));
        call!(LLVMSetComdat(
            function,
            LLVMGetOrInsertComdat(self.raw, name.as_ptr())
        ));
        call!(LLVMSetFunctionCallConv(
            function,
            Convention::PreserveMost.number()
        ));
        for attribute in [
            "naked",
            "noinline",
            "nounwind",
            "cold",
            "disable_sanitizer_instrumentation",
        ] {
            self.attribute(function, LLVMAttributeFunctionIndex, attribute);
        }
        let block = call!(LLVMAppendBasicBlockInContext(
            self.context(),
            function,
            c"".as_ptr()
        ));
        let builder = call!(LLVMCreateBuilderInContext(self.context()));
        call!(LLVMPositionBuilderAtEnd(builder, block));
        let (template, constraints) = ("jmpq *${0:P}@GOTPCREL(%rip)", "s");
        let asm_type = self.types.function(self.types.void, &[self.types.ptr]);
        let assembly = call!(LLVMGetInlineAsm(
            asm_type.0,
            template.as_ptr().cast(),
            template.len(),
            constraints.as_ptr().cast(),
            constraints.len(),
            1,
            0,
            LLVMInlineAsmDialect::LLVMInlineAsmDialectATT,
            0
        ));
        let mut arguments = [target];
        let name = c"".as_ptr();
        call!(LLVMBuildCall2(
            builder,
            asm_type.0,
            assembly,
            arguments.as_mut_ptr(),
            1,
            name
        ));
        call!(LLVMBuildUnreachable(builder));
        call!(LLVMDisposeBuilder(builder));
        function
    }

    /// An LLVM intrinsic.
    pub(super) fn intrinsic(&self, name: &str, overloads: &[Type]) -> Callee {
        let id = call!(LLVMLookupIntrinsicID(name.as_ptr().cast(), name.len()));
        let mut raw: Vec<_> = overloads.iter().map(|t| t.0).collect();
        let function = call!(LLVMGetIntrinsicDeclaration(
            self.raw,
            id,
            raw.as_mut_ptr(),
            raw.len()
        ));
        let ty = call!(LLVMIntrinsicGetType(
            self.context(),
            id,
            raw.as_mut_ptr(),
            raw.len()
        ));
        Callee {
            function: Value(function),
            ty: Type(ty),
            convention: Convention::C,
        }
    }

    /// The runtime's thread-local block.
    pub(crate) fn thread_block(&self) -> Value {
        let name = CString::new(racert_abi::tls::SYMBOL).expect("a plain name");
        let mut global = call!(LLVMGetNamedGlobal(self.raw, name.as_ptr()));
        if global.is_null() {
            let ty = self.types.bytes(racert_abi::tls::SIZE as u64);
            global = call!(LLVMAddGlobal(self.raw, ty.0, name.as_ptr()));
            call!(LLVMSetAlignment(global, 64));
            let mode = LLVMThreadLocalMode::LLVMInitialExecTLSModel;
            call!(LLVMSetThreadLocalMode(global, mode));
        }
        Value(global)
    }

    /// A table of that name that another module may define; its address is
    /// null if none does.
    pub(crate) fn weak_table(&self, name: &str) -> Value {
        let name = CString::new(name).expect("names have no null");
        let mut global = call!(LLVMGetNamedGlobal(self.raw, name.as_ptr()));
        if global.is_null() {
            let ty = self.types.i64;
            global = call!(LLVMAddGlobal(self.raw, ty.0, name.as_ptr()));
            call!(LLVMSetLinkage(global, LLVMLinkage::LLVMExternalWeakLinkage));
        }
        Value(global)
    }

    /// Defines the table of a function that waits by those of these `tables`:
    /// for modules linked together with this one, or, if it is certain to wait
    /// because there are none, for all that know `function`.
    pub(crate) fn define_table(&self, name: &str, function: Value, tables: &[Value]) {
        let name = CString::new(name).expect("names have no null");
        let answer = if tables.is_empty() {
            sync_loop::CERTAIN
        } else {
            sync_loop::NOT_ASKED
        };
        let words = [u64::from(answer), tables.len() as u64].map(|n| self.types.i64.constant(n));
        let mut members: Vec<LLVMValueRef> = words.iter().chain(tables).map(|m| m.0).collect();
        let count = u32::try_from(members.len()).expect("few tables");
        let value = call!(LLVMConstStructInContext(
            self.context(),
            members.as_mut_ptr(),
            count,
            0
        ));
        let global = call!(LLVMAddGlobal(self.raw, LLVMTypeOf(value), name.as_ptr()));
        call!(LLVMSetInitializer(global, value));
        call!(LLVMSetLinkage(global, LLVMLinkage::LLVMWeakAnyLinkage));
        let visibility = if tables.is_empty() {
            call!(LLVMSetGlobalConstant(global, 1));
            call!(LLVMGetVisibility(function.0))
        } else {
            LLVMVisibility::LLVMHiddenVisibility
        };
        call!(LLVMSetVisibility(global, visibility));
    }

    /// A new internal function `name` without parameters and result.
    pub(crate) fn add_internal_function(&self, name: &str) -> Value {
        let name = CString::new(name).expect("a plain name");
        let ty = self.types.function(self.types.void, &[]);
        let function = call!(LLVMAddFunction(self.raw, name.as_ptr(), ty.0));
        call!(LLVMSetLinkage(function, LLVMLinkage::LLVMInternalLinkage));
        self.attribute(function, LLVMAttributeFunctionIndex, "nounwind");
        Value(function)
    }

    /// Has `function` run when the program starts, before its own
    /// constructors.
    pub(crate) fn append_constructor(&self, function: Value, priority: i32) {
        call!(racert_append_constructor(self.raw, function.0, priority));
    }

    /// The functions defined here that the list called `name` has run.
    pub(crate) fn structors(&self, name: &str) -> Vec<Value> {
        let name = CString::new(name).expect("a plain name");
        let list = call!(LLVMGetNamedGlobal(self.raw, name.as_ptr()));
        if list.is_null() {
            return Vec::new();
        }
        let entries = call!(LLVMGetInitializer(list));
        let count = call!(LLVMGetNumOperands(entries)).max(0) as u32;
        let mut found: Vec<Value> = Vec::new();
        for entry in (0..count).map(|index| Value(entries).operand(index)) {
            // Entries that say nothing have no operands.
            if call!(LLVMGetNumOperands(entry.0)) < 2 {
                continue;
            }
            let function = entry.operand(1).as_function();
            let is_new = |f: &Value| !f.is_declaration() && !found.contains(f);
            found.extend(function.filter(is_new));
        }
        found
    }

    fn attribute(&self, function: LLVMValueRef, index: LLVMAttributeIndex, name: &str) {
        let kind = call!(LLVMGetEnumAttributeKindForName(
            name.as_ptr().cast(),
            name.len()
        ));
        let attribute = call!(LLVMCreateEnumAttribute(self.context(), kind, 0));
        call!(LLVMAddAttributeAtIndex(function, index, attribute));
    }

    /// Calls of the runtime do not throw, and two of them are not merged into
    /// one: the return address tells which access it was.
    pub(super) fn mark_runtime_call(&self, instruction: LLVMValueRef) {
        for name in ["nounwind", "nomerge"] {
            let kind = call!(LLVMGetEnumAttributeKindForName(
                name.as_ptr().cast(),
                name.len()
            ));
            let attribute = call!(LLVMCreateEnumAttribute(self.context(), kind, 0));
            call!(LLVMAddCallSiteAttribute(
                instruction,
                LLVMAttributeFunctionIndex,
                attribute
            ));
        }
    }
}
