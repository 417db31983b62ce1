// expect: data race
// tsan: skip, the annotations header is not among its own
// also: c++
// names: shared
#include "racert/annotations.h"
#include "scenario.h"

int condvar, lock, shared;

NOINLINE static void signaller(void) {
  ANNOTATE_CONDVAR_SIGNAL_ALL(&condvar);
  shared = 1; // here
}
NOINLINE static void waiter(void) {
  ANNOTATE_CONDVAR_LOCK_WAIT(&condvar, &lock);
  shared = 2; // here
}

int main(void) { run_two(signaller, waiter); }
