//! Which functions' work does not count.

#[path = "../src/unseen/names.rs"]
mod names;

use names::is_one;

#[test]
fn names_old_and_new() {
    let new = "_RNvNtNtNtNtNtCsjrHSEGnQ3l9_3std3sys3pal4unix14stack_overflow3imp12make_handler";
    let old = "_ZN3std3sys3pal4unix14stack_overflow3imp12drop_handler17h0123456789abcdefE";
    assert!(is_one(new) && is_one(old));
    assert!(!is_one(&new.replace("make_handler", "make_handlet")));
    assert!(!is_one(
        "_ZN4mine14stack_overflow3imp12drop_handler17h0123456789abcdefE"
    ));
    assert!(!is_one(
        "_RNvNtNtCs0_4mine14stack_overflow3imp12make_handler"
    ));
    assert!(!is_one(
        "_RNvNtCs0_3std3sys14stack_overflow3imp14signal_handler"
    ));
}
