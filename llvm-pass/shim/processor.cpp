// The processor's own vector intrinsics become LLVM's general ones, as the
// optimiser does for some of them where it runs: the pass then has one form of
// each access to look at, whichever header the program called it through.

#include "shim.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace {

enum class Form {
  None,
  MaskLoad,    // (pointer, signs)
  MaskStore,   // (pointer, signs, value)
  ByteStore,   // (value, signs, pointer)
  PlainLoad,   // (pointer)
  SignGather,  // (otherwise, pointer, index, signs, scale)
  BitGather,   // (otherwise, pointer, index, bits, scale)
  BitScatter,  // (pointer, bits, index, value, scale)
};

Form formOf(const IntrinsicInst &I) {
  const Function *Callee = I.getCalledFunction();
  StringRef Name = Callee ? Callee->getName() : "";
  if (!Name.consume_front("llvm.x86."))
    return Form::None;
  return StringSwitch<Form>(Name)
      .StartsWith("avx.maskload.", Form::MaskLoad)
      .StartsWith("avx2.maskload.", Form::MaskLoad)
      .StartsWith("avx.maskstore.", Form::MaskStore)
      .StartsWith("avx2.maskstore.", Form::MaskStore)
      .Case("sse2.maskmov.dqu", Form::ByteStore)
      .Case("sse3.ldu.dq", Form::PlainLoad)
      .Case("avx.ldu.dq.256", Form::PlainLoad)
      .StartsWith("avx2.gather.", Form::SignGather)
      .StartsWith("avx512.mask.gather", Form::BitGather)
      .StartsWith("avx512.mask.scatter", Form::BitScatter)
      .Default(Form::None);
}

unsigned lanesOf(const Value *V) { return cast<FixedVectorType>(V->getType())->getNumElements(); }

// Rewrites one intrinsic.
class Rewriter {
  IntrinsicInst &Call;
  IRBuilder<> Builder;

  Value *arg(unsigned Index) { return Call.getArgOperand(Index); }

  // The sign bit of a mask element selects the lane.
  Value *bySigns(Value *Signs) {
    Type *Integers = VectorType::getInteger(cast<VectorType>(Signs->getType()));
    return Builder.CreateICmpSLT(Builder.CreateBitCast(Signs, Integers),
                                 Constant::getNullValue(Integers));
  }

  // The first lanes of a vector.
  Value *first(Value *Vector, unsigned Lanes) {
    SmallVector<int, 16> Chosen;
    for (unsigned Lane = 0; Lane < Lanes; ++Lane)
      Chosen.push_back(Lane);
    return lanesOf(Vector) == Lanes ? Vector : Builder.CreateShuffleVector(Vector, Chosen);
  }

  // A vector of more lanes, whose further ones are zero.
  Value *widened(Value *Vector, unsigned Lanes) {
    SmallVector<int, 16> Chosen;
    for (unsigned Lane = 0; Lane < Lanes; ++Lane)
      Chosen.push_back(std::min(Lane, lanesOf(Vector)));
    Value *Zero = Constant::getNullValue(Vector->getType());
    return lanesOf(Vector) == Lanes ? Vector : Builder.CreateShuffleVector(Vector, Zero, Chosen);
  }

  Value *addresses(Value *Base, Value *Index, Value *Scale, unsigned Lanes) {
    auto *Wide = FixedVectorType::get(Builder.getInt64Ty(), Lanes);
    Value *Steps = Builder.CreateSExt(first(Index, Lanes), Wide);
    uint64_t Factor = cast<ConstantInt>(Scale)->getZExtValue() & 0xff;
    return Builder.CreateGEP(Builder.getInt8Ty(), Base,
                             Builder.CreateMul(Steps, ConstantInt::get(Wide, Factor)));
  }

  // Where vectors have different numbers of lanes, the shortest counts.
  Value *gather(Value *Mask) {
    unsigned All = lanesOf(&Call), Lanes = std::min({All, lanesOf(arg(2)), lanesOf(Mask)});
    Value *From = addresses(arg(1), arg(2), arg(4), Lanes);
    auto *Type = FixedVectorType::get(Call.getType()->getScalarType(), Lanes);
    Value *Read = Builder.CreateMaskedGather(Type, From, Align(1), first(Mask, Lanes),
                                             first(arg(0), Lanes));
    return widened(Read, All);
  }

  Value *scatter() {
    unsigned Lanes = std::min({lanesOf(arg(3)), lanesOf(arg(2)), lanesOf(arg(1))});
    Value *To = addresses(arg(0), arg(2), arg(4), Lanes);
    return Builder.CreateMaskedScatter(first(arg(3), Lanes), To, Align(1), first(arg(1), Lanes));
  }

public:
  explicit Rewriter(IntrinsicInst &I) : Call(I), Builder(&I) {}

  Value *rewritten(Form How) {
    switch (How) {
    case Form::MaskLoad:
      return Builder.CreateMaskedLoad(Call.getType(), arg(0), Align(1), bySigns(arg(1)),
                                      Constant::getNullValue(Call.getType()));
    case Form::MaskStore:
      return Builder.CreateMaskedStore(arg(2), arg(0), Align(1), bySigns(arg(1)));
    case Form::ByteStore:
      return Builder.CreateMaskedStore(arg(0), arg(2), Align(1), bySigns(arg(1)));
    case Form::PlainLoad:
      return Builder.CreateAlignedLoad(Call.getType(), arg(0), Align(1));
    case Form::SignGather:
      return gather(bySigns(arg(3)));
    case Form::BitGather:
      return gather(arg(3));
    case Form::BitScatter:
      return scatter();
    case Form::None:
      break;
    }
    llvm_unreachable("only intrinsics with a form are rewritten");
  }
};

} // namespace

extern "C" void racert_generalise_intrinsics(LLVMValueRef F) {
  SmallVector<IntrinsicInst *, 4> Found;
  for (BasicBlock &Block : *as<Function>(F))
    for (Instruction &I : Block)
      if (auto *Call = dyn_cast<IntrinsicInst>(&I); Call && formOf(*Call) != Form::None)
        Found.push_back(Call);
  for (IntrinsicInst *Call : Found) {
    Value *General = Rewriter(*Call).rewritten(formOf(*Call));
    if (!Call->getType()->isVoidTy()) {
      General->takeName(Call);
      Call->replaceAllUsesWith(General);
    }
    Call->eraseFromParent();
  }
}
