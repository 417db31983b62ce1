// expect: none
// tsan: skip, the annotations header is not among its own
// also: c++
#include "racert/annotations.h"
#include "scenario.h"

int condvar, lock, shared;

NOINLINE static void signaller(void) {
  shared = 1;
  ANNOTATE_CONDVAR_SIGNAL(&condvar);
}
NOINLINE static void waiter(void) {
  ANNOTATE_CONDVAR_LOCK_WAIT(&condvar, &lock);
  shared = 2;
}

int main(void) { run_two(signaller, waiter); }
