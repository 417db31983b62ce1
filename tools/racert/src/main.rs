//! racert
fn main() {}
