// expect: none
// also: c++
#include "racert/annotations.h"
#include "scenario.h"

// A lock of the program's own making, known from annotations.
int lock;

int main(void) {
  ANNOTATE_RWLOCK_CREATE(&lock);
  ANNOTATE_RWLOCK_ACQUIRED(&lock, 1);
  ANNOTATE_RWLOCK_RELEASED(&lock, 1);
  ANNOTATE_RWLOCK_ACQUIRED(&lock, 0);
  ANNOTATE_RWLOCK_RELEASED(&lock, 0);
}
