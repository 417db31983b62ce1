// expect: none
// also: c++
#include "racert/annotations.h"
#include "scenario.h"

// A lock of the program's own making, known from annotations.
int lock;

// One thread may give it back for another.
NOINLINE static void take(void) { ANNOTATE_RWLOCK_ACQUIRED(&lock, 1); }
NOINLINE static void give_back(void) { ANNOTATE_RWLOCK_RELEASED(&lock, 1); }

int main(void) {
  ANNOTATE_RWLOCK_CREATE(&lock);
  run_held(take, give_back);
  ANNOTATE_RWLOCK_ACQUIRED(&lock, 1);
  ANNOTATE_RWLOCK_RELEASED(&lock, 1);
  ANNOTATE_RWLOCK_DESTROY(&lock);
}
