// What the C++ files of the shim share: the handle that carries LLVM's
// analyses to the Rust side and the functions Rust provides.
#pragma once

#include "llvm-c/Core.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Support/CBindingWrapping.h"

// The analyses of one module run. Results are taken per function and only
// when asked for: at -O0 most functions need none of the expensive ones.
struct RacertAnalyses {
  llvm::FunctionAnalysisManager &FAM;
  llvm::Function *F = nullptr;
};

extern "C" {
// Provided by Rust (plugin.rs).
void racert_prepare_module(LLVMModuleRef M, RacertAnalyses *A);
bool racert_instrument_module(LLVMModuleRef M, RacertAnalyses *A);
}

template <typename T = llvm::Value> T *as(LLVMValueRef V) {
  return llvm::cast<T>(llvm::unwrap(V));
}
