// Loops and their address arithmetic.

#include "shim.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

static ScalarEvolution &scev(RacertAnalyses *A) {
  return A->FAM.getResult<ScalarEvolutionAnalysis>(*A->F);
}

static DominatorTree &domTree(RacertAnalyses *A) {
  return A->FAM.getResult<DominatorTreeAnalysis>(*A->F);
}

// How often an access of loop L runs each time the loop is entered.
enum class Executions : int {
  Unknown = 0,
  // Once more than the back edge is taken.
  BackEdgesPlusOne = 1,
  // As often as the back edge is taken, perhaps never.
  BackEdges = 2,
};

static Executions executions(RacertAnalyses *A, const Loop *L, const Instruction *I) {
  const BasicBlock *Exiting = L->getExitingBlock();
  const BasicBlock *Latch = L->getLoopLatch();
  const BasicBlock *Block = I->getParent();
  if (!Exiting || !Latch)
    return Executions::Unknown;
  DominatorTree &DT = domTree(A);
  if (!DT.dominates(Block, Latch) ||
      isa<SCEVCouldNotCompute>(scev(A).getBackedgeTakenCount(L)))
    return Executions::Unknown;
  if (DT.dominates(Block, Exiting))
    return Executions::BackEdgesPlusOne;
  return DT.properlyDominates(Exiting, Block) ? Executions::BackEdges : Executions::Unknown;
}

static const SCEVAddRecExpr *affine(RacertAnalyses *A, const Loop *L, Value *Pointer) {
  ScalarEvolution &SE = scev(A);
  if (!SE.isSCEVable(Pointer->getType()))
    return nullptr;
  auto *Rec = dyn_cast<SCEVAddRecExpr>(SE.getSCEVAtScope(Pointer, L));
  return Rec && Rec->getLoop() == L && Rec->isAffine() ? Rec : nullptr;
}

static const Loop *loop(void *L) { return static_cast<const Loop *>(L); }

extern "C" {

// Calls Visit with every loop of the function, inner ones first.
void racert_for_each_loop(RacertAnalyses *A, void (*Visit)(void *, void *), void *Context) {
  auto Loops = A->FAM.getResult<LoopAnalysis>(*A->F).getLoopsInPreorder();
  for (Loop *L : llvm::reverse(Loops))
    Visit(Context, L);
}

// The end of the only block from which the loop is entered, or null.
LLVMValueRef racert_loop_preheader_end(void *L) {
  BasicBlock *Preheader = loop(L)->getLoopPreheader();
  return Preheader ? wrap(Preheader->getTerminator()) : nullptr;
}

bool racert_loop_contains(void *L, LLVMBasicBlockRef B) { return loop(L)->contains(unwrap(B)); }

// Whether L is the innermost loop around the block.
bool racert_loop_is_innermost_of(RacertAnalyses *A, void *L, LLVMBasicBlockRef B) {
  return A->FAM.getResult<LoopAnalysis>(*A->F).getLoopFor(unwrap(B)) == loop(L);
}

void racert_loop_for_each_block(void *L, void (*Visit)(void *, LLVMBasicBlockRef), void *Context) {
  for (BasicBlock *Block : loop(L)->blocks())
    Visit(Context, wrap(Block));
}

// Whether an instruction of the loop runs at least once whenever the loop is
// entered, provided that nothing in it throws or hangs.
bool racert_loop_always_runs(RacertAnalyses *A, void *L, LLVMValueRef I) {
  const BasicBlock *Block = as<Instruction>(I)->getParent();
  if (Block == loop(L)->getHeader())
    return true;
  SmallVector<BasicBlock *, 4> Exiting;
  loop(L)->getExitingBlocks(Exiting);
  DominatorTree &DT = domTree(A);
  return !Exiting.empty() &&
         all_of(Exiting, [&](BasicBlock *E) { return DT.dominates(Block, E); });
}

bool racert_loop_is_invariant(void *L, LLVMValueRef V) { return loop(L)->isLoopInvariant(unwrap(V)); }

int racert_loop_executions(RacertAnalyses *A, void *L, LLVMValueRef I) {
  return static_cast<int>(executions(A, loop(L), as<Instruction>(I)));
}

// Whether a pointer moves by a constant number of bytes per iteration.
bool racert_loop_stride(RacertAnalyses *A, void *L, LLVMValueRef Pointer, int64_t *Stride) {
  const SCEVAddRecExpr *Rec = affine(A, loop(L), unwrap(Pointer));
  if (!Rec)
    return false;
  auto *Step = dyn_cast<SCEVConstant>(Rec->getStepRecurrence(scev(A)));
  if (!Step || Step->getAPInt().getSignificantBits() > 32)
    return false;
  *Stride = Step->getAPInt().getSExtValue();
  return true;
}

// The constant distance from First to Second in the same iteration.
bool racert_loop_distance(RacertAnalyses *A, void *L, LLVMValueRef First, LLVMValueRef Second,
                          int64_t *Distance) {
  ScalarEvolution &SE = scev(A);
  const SCEVAddRecExpr *From = affine(A, loop(L), unwrap(First));
  const SCEVAddRecExpr *To = affine(A, loop(L), unwrap(Second));
  if (!From || !To || From->getType() != To->getType())
    return false;
  auto *Difference = dyn_cast<SCEVConstant>(SE.getMinusSCEV(To->getStart(), From->getStart()));
  if (!Difference || Difference->getAPInt().getSignificantBits() > 63)
    return false;
  *Distance = Difference->getAPInt().getSExtValue();
  return true;
}

// Emits, in front of the loop, the lowest address and the number of bytes of
// an access of Span bytes at Pointer in every one of its executions. The
// caller knows that they touch each other.
bool racert_loop_expand_range(RacertAnalyses *A, void *L, LLVMValueRef Pointer, uint64_t Span,
                              int Count, LLVMValueRef *Start, LLVMValueRef *Length) {
  ScalarEvolution &SE = scev(A);
  const SCEVAddRecExpr *Rec = affine(A, loop(L), unwrap(Pointer));
  Instruction *Place = loop(L)->getLoopPreheader()->getTerminator();
  Type *I64 = Type::getInt64Ty(Place->getContext());
  auto *Step = cast<SCEVConstant>(Rec->getStepRecurrence(SE));
  int64_t Stride = Step->getAPInt().getSExtValue();

  // Iterations after the first one.
  const SCEV *More = SE.getTruncateOrZeroExtend(SE.getBackedgeTakenCount(loop(L)), I64);
  bool MayBeNone = Count == static_cast<int>(Executions::BackEdges);
  if (MayBeNone)
    More = SE.getMinusSCEV(More, SE.getOne(I64));
  const SCEV *First = Rec->getStart();
  if (Stride < 0)
    First = SE.getAddExpr(First, SE.getMulExpr(More, SE.getConstant(I64, Stride, true)));
  const SCEV *Bytes =
      SE.getAddExpr(SE.getMulExpr(More, SE.getConstant(I64, Stride < 0 ? -Stride : Stride)),
                    SE.getConstant(I64, Span));
  if (MayBeNone) {
    // No execution, no bytes: only where span and stride are equal does the
    // formula itself say so.
    if (static_cast<uint64_t>(Stride < 0 ? -Stride : Stride) != Span)
      return false;
  }
#if LLVM_VERSION_MAJOR >= 22
  SCEVExpander Expander(SE, "racert");
#else
  SCEVExpander Expander(SE, A->F->getParent()->getDataLayout(), "racert");
#endif
  if (!Expander.isSafeToExpandAt(First, Place) || !Expander.isSafeToExpandAt(Bytes, Place) ||
      Expander.isHighCostExpansion({First, Bytes}, const_cast<Loop *>(loop(L)), 16,
                                   &A->FAM.getResult<TargetIRAnalysis>(*A->F), Place))
    return false;
  *Start = wrap(Expander.expandCodeFor(First, unwrap(Pointer)->getType(), Place));
  *Length = wrap(Expander.expandCodeFor(Bytes, I64, Place));
  return true;
}
}
