// Copies and fills of elements that are atomic one by one become loops of
// atomic loads and stores, each of which the pass then sees as what it is.

#include "shim.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace {

struct ElementCopy {
  IntrinsicInst *Call;
  bool Fills;     // the second operand is a byte
  bool MayOverlap; // the order of the elements depends on the addresses
};

bool describe(Instruction &I, ElementCopy &Copy) {
  auto *Call = dyn_cast<IntrinsicInst>(&I);
  switch (Call ? Call->getIntrinsicID() : Intrinsic::not_intrinsic) {
  case Intrinsic::memcpy_element_unordered_atomic:
    Copy = {Call, false, false};
    return true;
  case Intrinsic::memmove_element_unordered_atomic:
    Copy = {Call, false, true};
    return true;
  case Intrinsic::memset_element_unordered_atomic:
    Copy = {Call, true, false};
    return true;
  default:
    return false;
  }
}

// The byte, repeated to fill an element.
Value *filled(IRBuilder<> &Builder, Value *Byte, IntegerType *Element) {
  APInt Ones = APInt::getSplat(Element->getBitWidth(), APInt(8, 1));
  return Builder.CreateMul(Builder.CreateZExt(Byte, Element), ConstantInt::get(Element, Ones));
}

void expand(const ElementCopy &Copy) {
  IntrinsicInst *Call = Copy.Call;
  Value *To = Call->getArgOperand(0), *From = Call->getArgOperand(1);
  Value *Length = Call->getArgOperand(2);
  uint64_t Size = cast<ConstantInt>(Call->getArgOperand(3))->getZExtValue();
  IRBuilder<> Builder(Call);
  auto *Element = Builder.getIntNTy(Size * 8);
  Value *Count = Builder.CreateUDiv(Length, ConstantInt::get(Length->getType(), Size));
  Value *Last = Builder.CreateSub(Count, ConstantInt::get(Count->getType(), 1));
  Value *Backward = Copy.MayOverlap ? Builder.CreateICmpUGT(To, From) : nullptr;
  Value *Content = Copy.Fills ? filled(Builder, From, Element) : nullptr;
  Instruction *Some =
      SplitBlockAndInsertIfThen(Builder.CreateIsNotNull(Count), Call->getIterator(), false);
  auto [Body, Number] = SplitBlockAndInsertSimpleForLoop(
      Count,
#if LLVM_VERSION_MAJOR >= 20
      Some->getIterator());
#else
      Some);
#endif
  Builder.SetInsertPoint(Body);
  Builder.SetCurrentDebugLocation(Call->getDebugLoc());
  Value *Index = Number;
  if (Backward)
    Index = Builder.CreateSelect(Backward, Builder.CreateSub(Last, Number), Number);
  if (!Content) {
    LoadInst *Read =
        Builder.CreateAlignedLoad(Element, Builder.CreateGEP(Element, From, Index), Align(Size));
    Read->setOrdering(AtomicOrdering::Unordered);
    Content = Read;
  }
  StoreInst *Write =
      Builder.CreateAlignedStore(Content, Builder.CreateGEP(Element, To, Index), Align(Size));
  Write->setOrdering(AtomicOrdering::Unordered);
  Call->eraseFromParent();
}

} // namespace

extern "C" void racert_expand_element_copies(RacertAnalyses *A, LLVMValueRef F) {
  SmallVector<ElementCopy, 2> Found;
  ElementCopy Copy;
  for (BasicBlock &Block : *as<Function>(F))
    for (Instruction &I : Block)
      if (describe(I, Copy))
        Found.push_back(Copy);
  for (const ElementCopy &One : Found)
    expand(One);
  if (!Found.empty())
    A->FAM.invalidate(*as<Function>(F), PreservedAnalyses::none());
}
