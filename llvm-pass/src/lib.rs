//! racert-pass.
