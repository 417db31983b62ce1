//! Any bytes: the rewriter refuses them, or makes a file that it knows as its
//! own and the loader's tables of which lie within it.

#![no_main]

use libfuzzer_sys::fuzz_target;
use racert_rewrite::{Image, Options, rewrite};

fuzz_target!(|bytes: &[u8]| {
    let options = Options {
        poison: bytes.first().is_some_and(|byte| byte & 1 != 0) && bytes.len() % 2 == 0,
        ..Options::default()
    };
    let Ok(rewritten) = rewrite(bytes.to_vec(), &options) else {
        return;
    };
    let again = rewrite(rewritten.bytes.clone(), &options).err();
    let again = again.expect("a rewritten file is refused");
    assert!(again.message().contains("already"), "{again}");
    let image = Image::read(rewritten.bytes).expect("a rewritten file is a sound one");
    let original = Image::read(bytes.to_vec()).expect("it was rewritten");
    // A damaged note may lie where the file has grown.
    if original.build_id.is_some() {
        assert_eq!(image.build_id, original.build_id);
    }
    let _ = rewritten.coverage.json("fuzz");
});
