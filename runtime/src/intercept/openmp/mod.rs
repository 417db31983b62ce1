//! Functions of OpenMP's libraries that compiled code calls.
//!
//! libgomp's are all that is seen of it. libomp speaks for itself (see
//! [`crate::omp`]) but for the memory of tasks, which it gives out again
//! without a word.

mod gomp;
mod gomp_arguments;
mod gomp_doacross;
mod gomp_task;
mod gomp_taskloop;
mod kmp;
mod locks;

#[cfg(test)]
pub(super) const ALL_NAMES: &[&[(&str, *const ())]] = &[
    gomp::NAMES,
    gomp_doacross::NAMES,
    gomp_task::NAMES,
    gomp_taskloop::NAMES,
    kmp::NAMES,
    locks::NAMES,
];
