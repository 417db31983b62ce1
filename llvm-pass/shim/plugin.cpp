// Registration with LLVM's pass builder, the command-line options, and the
// check that plugin and host are the same LLVM.

#include "shim.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#if LLVM_VERSION_MAJOR >= 22
#include "llvm/Plugins/PassPlugin.h"
#else
#include "llvm/Passes/PassPlugin.h"
#endif
#include "llvm/Support/CommandLine.h"

#include <cstdio>
#include <dlfcn.h>

static_assert(LLVM_VERSION_MAJOR == RACERT_LLVM_MAJOR, "headers of another LLVM");

using namespace llvm;

namespace {

struct Options {
  cl::opt<std::string> IgnoreList{
      "racert-ignorelist", cl::desc("File naming functions and sources racert leaves alone"),
      cl::value_desc("file")};
  cl::opt<bool> Stats{"racert-stats", cl::desc("Print what racert instrumented and what it left out")};
  cl::opt<bool> Loops{"racert-loops", cl::init(true),
                      cl::desc("Recognise loops that wait for another thread")};
  cl::opt<bool> FrontEndOptOut{
      "racert-honour-sanitize-attribute",
      cl::desc("Instrument only functions that the front end marked sanitize_thread")};
};

Options *TheOptions = nullptr;

// The host's LLVM major version; 0 if it cannot be asked.
unsigned hostMajor() {
  using Query = void (*)(unsigned *, unsigned *, unsigned *);
  auto Ask = reinterpret_cast<Query>(dlsym(RTLD_DEFAULT, "LLVMGetVersion"));
  unsigned Major = 0, Minor = 0, Patch = 0;
  if (Ask)
    Ask(&Major, &Minor, &Patch);
  return Major;
}

// Runs when the plugin is loaded, before any LLVM type is touched. The options
// must exist then, because that is when hosts parse their command line.
__attribute__((constructor)) void load() {
  unsigned Major = hostMajor();
  if (Major == LLVM_VERSION_MAJOR) {
    TheOptions = new Options;
    return;
  }
  std::fprintf(stderr,
               "error: racert: this plugin was built for LLVM %d, but a program with LLVM %u "
               "loads it; use clang-%d, or build the plugin with --features llvm%u\n",
               LLVM_VERSION_MAJOR, Major, LLVM_VERSION_MAJOR, Major);
}

struct Prepare : PassInfoMixin<Prepare> {
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &MAM) {
    auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
    RacertAnalyses A{FAM};
    racert_prepare_module(wrap(&M), &A);
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};

struct Instrument : PassInfoMixin<Instrument> {
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &MAM) {
    auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
    RacertAnalyses A{FAM};
    return racert_instrument_module(wrap(&M), &A) ? PreservedAnalyses::none()
                                                  : PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

} // namespace

extern "C" {

// 0 tells the host's loader to refuse the plugin.
uint32_t racert_plugin_api_version() { return TheOptions ? LLVM_PLUGIN_API_VERSION : 0; }

void racert_register(PassBuilder &PB) {
  PB.registerPipelineStartEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel) { MPM.addPass(Prepare()); });
#if LLVM_VERSION_MAJOR >= 20
  PB.registerOptimizerLastEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel, ThinOrFullLTOPhase Phase) {
        if (Phase != ThinOrFullLTOPhase::ThinLTOPostLink &&
            Phase != ThinOrFullLTOPhase::FullLTOPostLink)
          MPM.addPass(Instrument());
      });
#else
  PB.registerOptimizerLastEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel) { MPM.addPass(Instrument()); });
#endif
  PB.registerPipelineParsingCallback(
      [](StringRef Name, ModulePassManager &MPM, ArrayRef<PassBuilder::PipelineElement>) {
        if (Name == "racert") {
          MPM.addPass(Instrument());
          return true;
        }
        if (Name == "racert-prepare") {
          MPM.addPass(Prepare());
          return true;
        }
        return false;
      });
}

const char *racert_option_ignorelist() { return TheOptions->IgnoreList.c_str(); }
bool racert_option_stats() { return TheOptions->Stats; }
bool racert_option_loops() { return TheOptions->Loops; }
bool racert_option_front_end_opt_out() { return TheOptions->FrontEndOptOut; }
}
