//! What fuzzing has found stays found: every file of its corpus is refused, or
//! rewritten into a sound file.

use std::fs;
use std::path::Path;

use racert_rewrite::{Image, Options, rewrite};

#[test]
fn every_file_of_the_corpus() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus/rewrite");
    let mut rewritten = 0;
    for entry in fs::read_dir(corpus).unwrap() {
        let path = entry.unwrap().path();
        for poison in [false, true] {
            let options = Options {
                poison,
                ..Options::default()
            };
            let Ok(done) = rewrite(fs::read(&path).unwrap(), &options) else {
                continue;
            };
            let shown = path.display();
            assert!(Image::read(done.bytes.clone()).is_ok(), "{shown}");
            assert!(rewrite(done.bytes, &options).is_err(), "{shown}");
            rewritten += 1;
        }
    }
    assert!(rewritten >= 8, "the seeds at least");
}
