//! The plugin's face towards LLVM: what the loader asks for and the two
//! functions the shim's passes call.

use crate::llvm::analysis::Analysis;
use crate::llvm::module::Module;
use crate::llvm::shim::{RawAnalyses, racert_plugin_api_version, racert_register};
use crate::llvm::sys::prelude::LLVMModuleRef;
use crate::{module_pass, prepare};
use std::ffi::{c_char, c_void};

/// What LLVM's plugin loader reads; the layout is LLVM's
/// `PassPluginLibraryInfo`.
#[repr(C)]
pub(crate) struct PassPluginLibraryInfo {
    api_version: u32,
    name: *const c_char,
    version: *const c_char,
    register: unsafe extern "C" fn(*mut c_void),
    #[cfg(feature = "llvm22")]
    pre_code_generation: Option<unsafe extern "C" fn()>,
}

/// Entry point of every LLVM pass plugin.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn llvmGetPassPluginInfo() -> PassPluginLibraryInfo {
    PassPluginLibraryInfo {
        // SAFETY: takes no arguments and reads one variable of the shim.
        api_version: unsafe { racert_plugin_api_version() },
        name: c"racert".as_ptr(),
        version: concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast(),
        register: racert_register,
        #[cfg(feature = "llvm22")]
        pre_code_generation: None,
    }
}

/// Called by the shim at the start of the pipeline.
#[unsafe(no_mangle)]
extern "C" fn racert_prepare_module(module: LLVMModuleRef, analyses: *mut RawAnalyses) {
    prepare::run(&Module::new(module), &Analysis::new(analyses));
}

/// Called by the shim at the end of the optimiser. Returns whether the module
/// was changed.
#[unsafe(no_mangle)]
extern "C" fn racert_instrument_module(module: LLVMModuleRef, analyses: *mut RawAnalyses) -> bool {
    module_pass::run(&Module::new(module), &Analysis::new(analyses))
}
