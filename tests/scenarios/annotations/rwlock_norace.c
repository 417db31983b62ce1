// expect: none
// tsan: skip, the annotations header is not among its own
// orders: write-read read-write write-write
// also: c++
#include "racert/annotations.h"
#include "scenario.h"

int lock, shared;

NOINLINE static void write_it(void) {
  ANNOTATE_RWLOCK_ACQUIRED(&lock, 1);
  shared = 1;
  ANNOTATE_RWLOCK_RELEASED(&lock, 1);
}
NOINLINE static void read_it(void) {
  ANNOTATE_RWLOCK_ACQUIRED(&lock, 0);
  CONSUME(shared);
  ANNOTATE_RWLOCK_RELEASED(&lock, 0);
}

int main(void) {
  ANNOTATE_RWLOCK_CREATE(&lock);
  run_accesses(run_two, write_it, read_it);
  ANNOTATE_RWLOCK_DESTROY(&lock);
}
