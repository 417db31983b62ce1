// expect: unlock of an unlocked lock
// also: c++
// names: lock 'lock', no thread holds
#include "racert/annotations.h"
#include "scenario.h"

// A lock of the program's own making, known from annotations.
int lock;

int main(void) {
  ANNOTATE_RWLOCK_CREATE(&lock);
  ANNOTATE_RWLOCK_RELEASED(&lock, 1); // here
}
