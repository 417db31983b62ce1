// LLVM's analyses of one function at a time, as plain questions.

#include "shim.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Support/KnownBits.h"

using namespace llvm;

extern "C" {

void racert_enter_function(RacertAnalyses *A, LLVMValueRef F) { A->F = as<Function>(F); }

// Whether a local object's address may be known outside the function.
bool racert_may_be_captured(LLVMValueRef V) {
#if LLVM_VERSION_MAJOR >= 21
  return PointerMayBeCaptured(unwrap(V), /*ReturnCaptures=*/true);
#else
  return PointerMayBeCaptured(unwrap(V), /*ReturnCaptures=*/true, /*StoreCaptures=*/true);
#endif
}

// Whether V is a call that returns memory nobody else knows.
bool racert_is_fresh_allocation(LLVMValueRef V) { return isNoAliasCall(unwrap(V)); }

LLVMValueRef racert_underlying_object(LLVMValueRef V) {
  return wrap(const_cast<Value *>(getUnderlyingObject(unwrap(V), /*MaxLookup=*/0)));
}

// The low bits of pointer V that are known at instruction At: the bits known
// to be zero in the low byte of the result, those known to be one above it.
unsigned racert_known_low_bits(RacertAnalyses *A, LLVMValueRef V, LLVMValueRef At) {
  const DataLayout &DL = A->F->getParent()->getDataLayout();
  auto &AC = A->FAM.getResult<AssumptionAnalysis>(*A->F);
  auto &DT = A->FAM.getResult<DominatorTreeAnalysis>(*A->F);
#if LLVM_VERSION_MAJOR >= 21
  KnownBits Known = computeKnownBits(unwrap(V), DL, &AC, as<Instruction>(At), &DT);
#else
  KnownBits Known = computeKnownBits(unwrap(V), DL, 0, &AC, as<Instruction>(At), &DT);
#endif
  return (Known.Zero.extractBitsAsZExtValue(8, 0)) |
         (Known.One.extractBitsAsZExtValue(8, 0) << 8);
}

// The pointer with constant offsets stripped, and the sum of those offsets.
LLVMValueRef racert_base_and_offset(RacertAnalyses *A, LLVMValueRef V, int64_t *Offset) {
  const DataLayout &DL = A->F->getParent()->getDataLayout();
  Value *P = unwrap(V);
  APInt Sum(DL.getIndexTypeSizeInBits(P->getType()), 0);
  Value *Base = P->stripAndAccumulateConstantOffsets(DL, Sum, /*AllowNonInbounds=*/true);
  *Offset = Sum.getSExtValue();
  return wrap(Base);
}
}
