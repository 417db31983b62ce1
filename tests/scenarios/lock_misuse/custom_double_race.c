// expect: double lock of a lock
// also: c++
// names: lock 'lock', thread T1 holds for writing
// reports: any
#include "racert/annotations.h"
#include "scenario.h"

// A lock of the program's own making, known from annotations.
int lock;

NOINLINE static void first(void) { ANNOTATE_RWLOCK_ACQUIRED(&lock, 1); }
NOINLINE static void second(void) {
  ANNOTATE_RWLOCK_ACQUIRED(&lock, 1); // here
  ANNOTATE_RWLOCK_RELEASED(&lock, 1);
}

int main(void) {
  ANNOTATE_RWLOCK_CREATE(&lock);
  run_held(first, second);
}
