// What recognising loops that wait for another thread needs: the edges on
// which a loop is left, dominance, annotations, and places on edges.

#include "shim.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"

using namespace llvm;

static Loop *loop(void *L) { return static_cast<Loop *>(L); }

extern "C" {

// Calls Visit with the terminator and the target of every edge out of the
// loop, each pair once. Unwinding is not an exit in this sense.
void racert_loop_for_each_exit(void *L, void (*Visit)(void *, LLVMValueRef, LLVMBasicBlockRef),
                               void *Context) {
  for (BasicBlock *Block : loop(L)->blocks()) {
    SmallPtrSet<BasicBlock *, 8> Seen;
    for (BasicBlock *Next : successors(Block))
      if (!loop(L)->contains(Next) && !Next->isEHPad() && Seen.insert(Next).second)
        Visit(Context, wrap(Block->getTerminator()), wrap(Next));
  }
}

LLVMBasicBlockRef racert_loop_header(void *L) { return wrap(loop(L)->getHeader()); }

void *racert_loop_parent(void *L) { return loop(L)->getParentLoop(); }

// The innermost loop around a block, or null.
void *racert_loop_of_block(RacertAnalyses *A, LLVMBasicBlockRef B) {
  return A->FAM.getResult<LoopAnalysis>(*A->F).getLoopFor(unwrap(B));
}

// Whether instruction Def has run whenever At is about to run.
bool racert_dominates(RacertAnalyses *A, LLVMValueRef Def, LLVMValueRef At) {
  return A->FAM.getResult<DominatorTreeAnalysis>(*A->F)
      .dominates(as<Instruction>(Def), as<Instruction>(At));
}

// The function was changed: nothing known about it holds any longer.
void racert_forget_function(RacertAnalyses *A, LLVMValueRef F) {
  A->FAM.invalidate(*as<Function>(F), PreservedAnalyses::none());
}

// Whether Size bytes at V + Offset can be read wherever V is defined.
bool racert_is_readable(LLVMValueRef V, LLVMModuleRef M, int64_t Offset, uint64_t Size) {
  const Value *P = unwrap(V);
  bool CanBeNull = false, CanBeFreed = false;
  uint64_t Bytes = P->getPointerDereferenceableBytes(unwrap(M)->getDataLayout(), CanBeNull, CanBeFreed);
  return !CanBeNull && Offset >= 0 && static_cast<uint64_t>(Offset) + Size <= Bytes;
}

bool racert_is_same_operation(LLVMValueRef A, LLVMValueRef B) {
  return as<Instruction>(A)->isSameOperationAs(as<Instruction>(B));
}

bool racert_is_interposable(LLVMValueRef F) { return as<GlobalValue>(F)->isInterposable(); }

// Whether the block does nothing but go on to its only successor.
bool racert_is_forwarder(LLVMBasicBlockRef B) {
  BasicBlock *Block = unwrap(B);
  return Block->getSingleSuccessor() && !isa<PHINode>(Block->front()) &&
         all_of(*Block, [](Instruction &I) {
           return I.isTerminator() || I.isDebugOrPseudoInst() || I.isLifetimeStartOrEnd();
         });
}

// An instruction that runs on the edge from a terminator to a successor and
// on no other way into it; null where an edge cannot have code of its own.
LLVMValueRef racert_edge_insertion_point(LLVMValueRef T, LLVMBasicBlockRef S) {
  auto *End = as<Instruction>(T);
  BasicBlock *From = End->getParent(), *To = unwrap(S);
  if (To->isEHPad() || isa<IndirectBrInst>(End) || isa<CallBrInst>(End))
    return nullptr;
  if (To->getUniquePredecessor() == From) {
    auto Place = To->getFirstInsertionPt();
    return Place == To->end() ? nullptr : wrap(&*Place);
  }
  BasicBlock *Between = BasicBlock::Create(To->getContext(), "", To->getParent(), To);
  auto *Jump = BranchInst::Create(To, Between);
  Jump->setDebugLoc(End->getDebugLoc());
  for (unsigned I = 0; I < End->getNumSuccessors(); ++I)
    if (End->getSuccessor(I) == To)
      End->setSuccessor(I, Between);
  for (PHINode &Phi : To->phis()) {
    Phi.setIncomingBlock(Phi.getBasicBlockIndex(From), Between);
    for (int I; (I = Phi.getBasicBlockIndex(From)) >= 0;)
      Phi.removeIncomingValue(I, /*DeletePHIIfEmpty=*/false);
  }
  return wrap(Jump);
}

// Promises that a call keeps no copy of its pointer argument.
void racert_set_nocapture(LLVMValueRef Call, unsigned Index) {
  auto *C = as<CallBase>(Call);
#if LLVM_VERSION_MAJOR >= 21
  C->addParamAttr(Index, Attribute::getWithCaptureInfo(C->getContext(), CaptureInfo::none()));
#else
  C->addParamAttr(Index, Attribute::NoCapture);
#endif
}

// Calls Visit with every function that the source annotates and the text.
void racert_for_each_annotation(LLVMModuleRef M,
                                void (*Visit)(void *, LLVMValueRef, const char *, size_t),
                                void *Context) {
  GlobalVariable *All = unwrap(M)->getNamedGlobal("llvm.global.annotations");
  auto *List = All && All->hasInitializer() ? dyn_cast<ConstantArray>(All->getInitializer()) : nullptr;
  if (!List)
    return;
  for (Value *Element : List->operands()) {
    auto *Entry = dyn_cast<ConstantStruct>(Element);
    if (!Entry || Entry->getNumOperands() < 2)
      continue;
    auto *F = dyn_cast<Function>(Entry->getOperand(0)->stripPointerCasts());
    auto *Text = dyn_cast<GlobalVariable>(Entry->getOperand(1)->stripPointerCasts());
    auto *Data = Text && Text->hasInitializer()
                     ? dyn_cast<ConstantDataSequential>(Text->getInitializer())
                     : nullptr;
    if (!F || !Data || !Data->isCString())
      continue;
    StringRef String = Data->getAsCString();
    Visit(Context, wrap(F), String.data(), String.size());
  }
}
}
