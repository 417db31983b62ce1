//! End to end: real debug information.

use super::*;

/// An address inside the function that this is inlined into.
#[inline(always)]
fn inlined_here() -> u64 {
    let address: u64;
    // SAFETY: reads the instruction pointer.
    unsafe { core::arch::asm!("lea {}, [rip]", out(reg) address) };
    address
}

#[test]
fn this_test_itself() {
    let mut symbolizer = Symbolizer::new();
    symbolizer.refresh();
    let (line, address) = (line!(), inlined_here());
    let code = symbolizer.code(address);
    let names: Vec<_> = code.frames.iter().map(|f| f.function.as_deref()).collect();
    assert_eq!(
        names,
        [
            Some("racert::symbol::tests::inlined_here"),
            Some("racert::symbol::tests::this_test_itself")
        ]
    );
    let source = code.frames[1].source.as_ref().unwrap();
    assert!(source.file.ends_with("runtime/src/symbol/tests.rs"));
    assert_eq!((source.line, source.column), (line, 35));
    let module = code.module.unwrap();
    let program = std::env::current_exe().unwrap();
    assert_eq!(module.path, program.to_str().unwrap());
}
