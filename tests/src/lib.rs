//! End-to-end tests of racert: real clang, real programs.
