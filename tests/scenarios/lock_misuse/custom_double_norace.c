// expect: none
// also: c++
#include "racert/annotations.h"
#include "scenario.h"

// A lock of the program's own making, known from annotations.
int lock;

NOINLINE static void body(void) {
  ANNOTATE_RWLOCK_ACQUIRED(&lock, 1);
  ANNOTATE_RWLOCK_ACQUIRED(&lock, 1);
  ANNOTATE_RWLOCK_RELEASED(&lock, 1);
  ANNOTATE_RWLOCK_RELEASED(&lock, 1);
}

int main(void) {
  ANNOTATE_RWLOCK_CREATE(&lock);
  run_two(body, body);
}
