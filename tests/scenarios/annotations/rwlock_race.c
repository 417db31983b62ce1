// expect: data race
// tsan: skip, the annotations header is not among its own
// orders: first-second second-first
// also: c++
// names: shared
#include "racert/annotations.h"
#include "scenario.h"

int lock, shared;

NOINLINE static void write_shared(void) {
  ANNOTATE_RWLOCK_ACQUIRED(&lock, 0);
  shared = 1; // here
  ANNOTATE_RWLOCK_RELEASED(&lock, 0);
}
NOINLINE static void write_too(void) {
  ANNOTATE_RWLOCK_ACQUIRED(&lock, 0);
  shared = 2; // here
  ANNOTATE_RWLOCK_RELEASED(&lock, 0);
}

int main(void) {
  ANNOTATE_RWLOCK_CREATE_STATIC(&lock);
  run_ordered(write_shared, write_too);
}
