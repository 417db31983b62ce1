// expect: unlock of a lock in the wrong mode
// also: c++
// names: lock 'lock', as if held for reading
#include "racert/annotations.h"
#include "scenario.h"

// A lock of the program's own making, known from annotations.
int lock;

int main(void) {
  ANNOTATE_RWLOCK_CREATE(&lock);
  ANNOTATE_RWLOCK_ACQUIRED(&lock, 1); // here
  ANNOTATE_RWLOCK_RELEASED(&lock, 0); // here
}
