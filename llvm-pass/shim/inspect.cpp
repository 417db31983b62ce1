// Questions about single instructions and edits of the module that the LLVM C
// API does not offer, or offers only through enumerations that change between
// versions.

#include "shim.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

// Mirrors `Kind` in src/llvm/value.rs.
enum class Kind : int {
  Other = 0,
  Load = 1,
  Store = 2,
  CmpXchg = 3,
  AtomicRmw = 4,
  Fence = 5,
  Call = 6,
  MemCpy = 7,
  MemMove = 8,
  MemSet = 9,
  MaskedLoad = 10,
  MaskedStore = 11,
  Gather = 12,
  Scatter = 13,
  ExpandLoad = 14,
  CompressStore = 15,
  InlineAsm = 16,
  Return = 17,
  Resume = 18,
  LandingPad = 19,
  QuietIntrinsic = 20,
  Intrinsic = 21,
  MemSetPattern = 22,
  Unreachable = 23,
  UnwindExit = 24,
  Lifetime = 25,
};

static Kind intrinsicKind(const IntrinsicInst &I) {
  switch (I.getIntrinsicID()) {
  case Intrinsic::memcpy:
  case Intrinsic::memcpy_inline:
    return Kind::MemCpy;
  case Intrinsic::memmove:
    return Kind::MemMove;
  case Intrinsic::memset:
  case Intrinsic::memset_inline:
    return Kind::MemSet;
#if LLVM_VERSION_MAJOR >= 20
  case Intrinsic::experimental_memset_pattern:
    return Kind::MemSetPattern;
#endif
  case Intrinsic::masked_load:
    return Kind::MaskedLoad;
  case Intrinsic::masked_store:
    return Kind::MaskedStore;
  case Intrinsic::masked_gather:
    return Kind::Gather;
  case Intrinsic::masked_scatter:
    return Kind::Scatter;
  case Intrinsic::masked_expandload:
    return Kind::ExpandLoad;
  case Intrinsic::masked_compressstore:
    return Kind::CompressStore;
  case Intrinsic::lifetime_start:
  case Intrinsic::lifetime_end:
    return Kind::Lifetime;
  default:
    // Intrinsics that touch no memory, or only declare something about it,
    // neither synchronise nor call back into instrumented code.
    if (I.doesNotAccessMemory() || I.isAssumeLikeIntrinsic() ||
        I.hasFnAttr(Attribute::NoSync))
      return Kind::QuietIntrinsic;
    return Kind::Intrinsic;
  }
}

static Kind kindOf(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::Load:
    return Kind::Load;
  case Instruction::Store:
    return Kind::Store;
  case Instruction::AtomicCmpXchg:
    return Kind::CmpXchg;
  case Instruction::AtomicRMW:
    return Kind::AtomicRmw;
  case Instruction::Fence:
    return Kind::Fence;
  case Instruction::Ret:
    return Kind::Return;
  case Instruction::Resume:
    return Kind::Resume;
  case Instruction::LandingPad:
    return Kind::LandingPad;
  case Instruction::Unreachable:
    return Kind::Unreachable;
  case Instruction::CleanupRet:
    return cast<CleanupReturnInst>(I).unwindsToCaller() ? Kind::UnwindExit : Kind::Other;
  case Instruction::Call:
  case Instruction::Invoke:
  case Instruction::CallBr:
    break;
  default:
    return Kind::Other;
  }
  if (auto *Intrinsic = dyn_cast<IntrinsicInst>(&I))
    return intrinsicKind(*Intrinsic);
  const auto &Call = cast<CallBase>(I);
  // Intrinsics may be invoked too (statepoints and the like).
  if (const Function *Callee = Call.getCalledFunction(); Callee && Callee->isIntrinsic())
    return Kind::Intrinsic;
  return Call.isInlineAsm() ? Kind::InlineAsm : Kind::Call;
}

extern "C" {

int racert_kind(LLVMValueRef V) { return static_cast<int>(kindOf(*as<Instruction>(V))); }

// Whether an instruction's atomicity concerns only this thread.
bool racert_is_single_thread(LLVMValueRef V) {
  auto Scope = getAtomicSyncScopeID(as<Instruction>(V));
  return Scope && *Scope == SyncScope::SingleThread;
}

bool racert_is_atomic(LLVMValueRef V) { return as<Instruction>(V)->isAtomic(); }

// C11 memory_order of a load, store, fence or read-modify-write, or of the
// success (failure) of a compare-exchange.
int racert_order(LLVMValueRef V, bool Failure) {
  auto *I = as<Instruction>(V);
  AtomicOrdering O = AtomicOrdering::SequentiallyConsistent;
  if (auto *L = dyn_cast<LoadInst>(I))
    O = L->getOrdering();
  else if (auto *S = dyn_cast<StoreInst>(I))
    O = S->getOrdering();
  else if (auto *R = dyn_cast<AtomicRMWInst>(I))
    O = R->getOrdering();
  else if (auto *F = dyn_cast<FenceInst>(I))
    O = F->getOrdering();
  else if (auto *C = dyn_cast<AtomicCmpXchgInst>(I))
    O = Failure ? C->getFailureOrdering() : C->getSuccessOrdering();
  return isStrongerThanUnordered(O) ? static_cast<int>(toCABI(O)) : 0;
}

int racert_rmw_operation(LLVMValueRef V) { return as<AtomicRMWInst>(V)->getOperation(); }

bool racert_is_vtable_access(LLVMValueRef V) {
  MDNode *Tag = as<Instruction>(V)->getMetadata(LLVMContext::MD_tbaa);
  return Tag && Tag->isTBAAVtableAccess();
}

bool racert_is_volatile(LLVMValueRef V) { return as<Instruction>(V)->isVolatile(); }

bool racert_is_musttail(LLVMValueRef V) {
  auto *Call = dyn_cast<CallInst>(unwrap(V));
  return Call && Call->isMustTailCall();
}

bool racert_returns_twice(LLVMValueRef V) {
  return as<CallBase>(V)->hasFnAttr(Attribute::ReturnsTwice);
}

// A call that cannot synchronise and is sure to come back.
bool racert_call_is_quiet(LLVMValueRef V) {
  auto *Call = as<CallBase>(V);
  return (Call->doesNotAccessMemory() || Call->hasFnAttr(Attribute::NoSync)) &&
         Call->doesNotThrow() && Call->willReturn();
}

// Whether the copy or fill must not become a library call.
bool racert_is_inline_only(LLVMValueRef V) {
  auto ID = as<IntrinsicInst>(V)->getIntrinsicID();
  return ID == Intrinsic::memcpy_inline || ID == Intrinsic::memset_inline;
}

// Alignment of the destination (source) of a memory intrinsic.
unsigned racert_mem_alignment(LLVMValueRef V, bool Source) {
  auto *I = as<MemIntrinsic>(V);
  MaybeAlign A = Source ? cast<MemTransferInst>(I)->getSourceAlign() : I->getDestAlign();
  return A ? A->value() : 1;
}

// The type a byval argument is copied by, or null.
LLVMTypeRef racert_byval_type(LLVMValueRef V, unsigned Index) {
  auto *Call = as<CallBase>(V);
  return Call->isByValArgument(Index) ? wrap(Call->getParamByValType(Index)) : nullptr;
}

unsigned racert_param_alignment(LLVMValueRef V, unsigned Index) {
  MaybeAlign A = as<CallBase>(V)->getParamAlign(Index);
  return A ? A->value() : 1;
}

LLVMTypeRef racert_element_type(LLVMValueRef V, unsigned Index) {
  Type *T = as<CallBase>(V)->getParamElementType(Index);
  return T ? wrap(T) : nullptr;
}

// The mask of a masked memory intrinsic: its place among the operands moved
// between versions.
LLVMValueRef racert_masked_mask(LLVMValueRef V) {
  auto *I = as<IntrinsicInst>(V);
  for (Value *Operand : I->args()) {
    Type *T = Operand->getType();
    if (T->isVectorTy() && T->getScalarType()->isIntegerTy(1))
      return wrap(Operand);
  }
  return nullptr;
}

// Puts `if (Cond) { ... }` in front of Before and returns the terminator of
// the new block. Cold: the condition is almost never true.
LLVMValueRef racert_split_if(LLVMValueRef Cond, LLVMValueRef Before, bool Cold) {
  auto *I = as<Instruction>(Before);
  // The weight that LLVM takes for what it knows to be unlikely.
  MDNode *Weights =
      Cold ? MDBuilder(I->getContext()).createBranchWeights(1, (1U << 20) - 1) : nullptr;
  return wrap(SplitBlockAndInsertIfThen(as<Value>(Cond), I->getIterator(), false, Weights));
}

// The instruction after which a function's own code begins: allocas stay in
// one piece at the top of the entry block.
LLVMValueRef racert_entry_insertion_point(LLVMValueRef F) {
  BasicBlock &Entry = as<Function>(F)->getEntryBlock();
  BasicBlock::iterator I = Entry.getFirstNonPHIOrDbgOrAlloca();
  return wrap(&*I);
}

// Moves the allocas of fixed size to the top of the entry block, where they
// stay when the block is split: anywhere else they would be dynamic ones.
void racert_gather_allocas(LLVMValueRef F) {
  BasicBlock &Entry = as<Function>(F)->getEntryBlock();
  SmallVector<AllocaInst *, 8> Late;
  bool Behind = false;
  for (Instruction &I : Entry) {
    auto *Alloca = dyn_cast<AllocaInst>(&I);
    if (!Alloca)
      Behind = true;
    else if (Behind && isa<ConstantInt>(Alloca->getArraySize()) && !Alloca->isUsedWithInAlloca())
      Late.push_back(Alloca);
  }
  for (AllocaInst *Alloca : Late)
    Alloca->moveBefore(Entry, Entry.begin());
}

// Where code may be inserted behind the landing pad or phi nodes of the
// block that V is in; null if nowhere.
LLVMValueRef racert_first_insertion_point(LLVMBasicBlockRef B) {
  BasicBlock *Block = unwrap(B);
  auto I = Block->getFirstInsertionPt();
  return I == Block->end() ? nullptr : wrap(&*I);
}

// The instruction that runs after V when V completes normally; an invoke's
// edge is split first. Null where there is no such place.
LLVMValueRef racert_after(LLVMValueRef V) {
  auto *I = as<Instruction>(V);
  if (auto *Invoke = dyn_cast<InvokeInst>(I)) {
    BasicBlock *Normal = Invoke->getNormalDest();
    if (!Normal->getSinglePredecessor())
      Normal = SplitEdge(Invoke->getParent(), Normal);
    return wrap(&*Normal->getFirstInsertionPt());
  }
  return I->isTerminator() ? nullptr : wrap(I->getNextNode());
}

void racert_append_constructor(LLVMModuleRef M, LLVMValueRef F, int Priority) {
  appendToGlobalCtors(*unwrap(M), as<Function>(F), Priority);
}

// An instrumented function reads and writes shadow memory and calls the
// runtime: what was inferred about its memory use no longer holds, neither on
// it nor on the calls to it.
void racert_drop_inferred_attributes(LLVMValueRef V) {
  auto *F = as<Function>(V);
  AttributeMask Drop;
  Drop.addAttribute(Attribute::Memory);
  Drop.addAttribute(Attribute::NoSync);
  Drop.addAttribute(Attribute::NoFree);
  Drop.addAttribute(Attribute::Speculatable);
  F->removeFnAttrs(Drop);
  for (User *U : F->users())
    if (auto *Call = dyn_cast<CallBase>(U); Call && Call->getCalledOperand() == F)
      Call->removeFnAttrs(Drop);
}

void racert_error(LLVMModuleRef M, const char *Message, size_t Length) {
  unwrap(M)->getContext().emitError(StringRef(Message, Length));
}

void racert_set_nosanitize(LLVMValueRef V) { as<Instruction>(V)->setNoSanitizeMetadata(); }

bool racert_has_nosanitize(LLVMValueRef V) {
  return as<Instruction>(V)->hasMetadata(LLVMContext::MD_nosanitize);
}

bool racert_is_invariant_load(LLVMValueRef V) {
  return as<Instruction>(V)->hasMetadata(LLVMContext::MD_invariant_load);
}

bool racert_is_swift_error(LLVMValueRef V) { return as<Value>(V)->isSwiftError(); }

// Replaces the called function, for calls and invokes alike.
void racert_set_called_function(LLVMValueRef Call, LLVMValueRef F) {
  auto *C = as<CallBase>(Call);
  C->setCalledFunction(as<Function>(F));
}
}
