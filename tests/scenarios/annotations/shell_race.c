// expect: data race
// orders: first-second second-first
// tsan: skip, the annotations header is not among its own
// As the twin, but one side forgets the lock.
#include "racert/annotations.h"
#include "scenario.h"

static pthread_spinlock_t lock;
int shared;

NOINLINE static void locked(void) {
  pthread_spin_lock(&lock);
  ANNOTATE_RWLOCK_ACQUIRED((void *)&lock, 1);
  shared = 1; // here
  ANNOTATE_RWLOCK_RELEASED((void *)&lock, 1);
  pthread_spin_unlock(&lock);
}
NOINLINE static void unlocked(void) {
  shared = 2; // here
}

int main(void) {
  ANNOTATE_RWLOCK_CREATE((void *)&lock);
  pthread_spin_init(&lock, 0);
  run_ordered(locked, unlocked);
  ANNOTATE_RWLOCK_DESTROY((void *)&lock);
  pthread_spin_destroy(&lock);
}
