//! Types and constants of the module being instrumented.

use super::call;
use super::sys::LLVMTypeKind;
use super::sys::core::*;
use super::sys::prelude::{LLVMContextRef, LLVMTypeRef};
use super::sys::target::{LLVMABISizeOfType, LLVMStoreSizeOfType, LLVMTargetDataRef};
use super::value::Value;

/// An LLVM type.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Type(pub(super) LLVMTypeRef);

impl Type {
    /// The vector's element type.
    pub(crate) fn element(self) -> Type {
        Type(call!(LLVMGetElementType(self.0)))
    }

    /// The number of elements of a fixed vector.
    pub(crate) fn vector_length(self) -> u32 {
        call!(LLVMGetVectorSize(self.0))
    }

    /// Whether this is a pointer type.
    pub(crate) fn is_pointer(self) -> bool {
        call!(LLVMPointerTypeInContext(LLVMGetTypeContext(self.0), 0)) == self.0
    }

    /// Whether this is an integer type.
    pub(crate) fn is_integer(self) -> bool {
        call!(LLVMGetTypeKind(self.0)) == LLVMTypeKind::LLVMIntegerTypeKind
    }

    /// Whether this is the type of truth values.
    pub(crate) fn is_bit(self) -> bool {
        self.is_integer() && call!(LLVMGetIntTypeWidth(self.0)) == 1
    }

    /// A constant of this integer type.
    pub(crate) fn constant(self, value: u64) -> Value {
        Value(call!(LLVMConstInt(self.0, value, 0)))
    }

    /// A constant of this integer type from a signed number.
    pub(crate) fn signed_constant(self, value: i64) -> Value {
        Value(call!(LLVMConstInt(self.0, value.cast_unsigned(), 1)))
    }

    /// The null or zero value.
    pub(crate) fn null(self) -> Value {
        Value(call!(LLVMConstNull(self.0)))
    }

    /// An undefined-but-fixed value, to build aggregates from.
    pub(crate) fn poison(self) -> Value {
        Value(call!(LLVMGetPoison(self.0)))
    }
}

/// The types the pass builds code from.
#[derive(Clone, Copy)]
pub(crate) struct Types {
    context: LLVMContextRef,
    layout: LLVMTargetDataRef,
    /// `void`
    pub(crate) void: Type,
    /// `i32`
    pub(crate) i32: Type,
    /// `i64`
    pub(crate) i64: Type,
    /// `ptr` in address space 0
    pub(crate) ptr: Type,
}

impl Types {
    pub(super) fn new(context: LLVMContextRef, layout: LLVMTargetDataRef) -> Types {
        Types {
            context,
            layout,
            void: Type(call!(LLVMVoidTypeInContext(context))),
            i32: Type(call!(LLVMInt32TypeInContext(context))),
            i64: Type(call!(LLVMInt64TypeInContext(context))),
            ptr: Type(call!(LLVMPointerTypeInContext(context, 0))),
        }
    }

    /// The integer type of that many bits.
    pub(crate) fn int(&self, bits: u32) -> Type {
        Type(call!(LLVMIntTypeInContext(self.context, bits)))
    }

    /// An array of bytes.
    pub(crate) fn bytes(&self, length: u64) -> Type {
        Type(call!(LLVMArrayType2(
            LLVMInt8TypeInContext(self.context),
            length
        )))
    }

    /// A function type without variable arguments.
    pub(crate) fn function(&self, result: Type, parameters: &[Type]) -> Type {
        let mut raw: Vec<LLVMTypeRef> = parameters.iter().map(|t| t.0).collect();
        let count = u32::try_from(raw.len()).expect("parameter count");
        Type(call!(LLVMFunctionType(
            result.0,
            raw.as_mut_ptr(),
            count,
            0
        )))
    }

    /// Bytes a store of this type writes.
    pub(crate) fn store_size(&self, ty: Type) -> u64 {
        call!(LLVMStoreSizeOfType(self.layout, ty.0))
    }

    /// Bytes from one element of an array of this type to the next.
    pub(crate) fn abi_size(&self, ty: Type) -> u64 {
        call!(LLVMABISizeOfType(self.layout, ty.0))
    }
}
