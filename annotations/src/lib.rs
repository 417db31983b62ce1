//! racert-annotations.
