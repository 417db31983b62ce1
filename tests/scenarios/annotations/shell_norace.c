// expect: none
// tsan: skip, the annotations header is not among its own
// A lock of the program's own making around one of libc's, at one address:
// both are created and destroyed.
#include "racert/annotations.h"
#include "scenario.h"

static pthread_spinlock_t lock;
int shared;

static void take(void) {
  pthread_spin_lock(&lock);
  ANNOTATE_RWLOCK_ACQUIRED((void *)&lock, 1);
}
static void give_back(void) {
  ANNOTATE_RWLOCK_RELEASED((void *)&lock, 1);
  pthread_spin_unlock(&lock);
}
NOINLINE static void first(void) {
  take();
  shared = 1;
  give_back();
}
NOINLINE static void second(void) {
  take();
  shared = 2;
  give_back();
}

int main(void) {
  ANNOTATE_RWLOCK_CREATE((void *)&lock);
  pthread_spin_init(&lock, 0);
  run_two(first, second);
  ANNOTATE_RWLOCK_DESTROY((void *)&lock);
  pthread_spin_destroy(&lock);
}
