// expect: data race
// also: c++
// names: shared
#include <errno.h>
#include <time.h>

#include "scenario.h"

// Attempts that fail order nothing.
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int shared;

static void *hold(void *unused) {
  pthread_rwlock_wrlock(&lock);
  shared = 1; // here
  take_step();
  wait_for_step(2);
  pthread_rwlock_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t thread;
  struct timespec past = {0, 0};
  pthread_create(&thread, NULL, hold, NULL);
  wait_for_step(1);
  if (pthread_rwlock_tryrdlock(&lock) != EBUSY) return 1;
  if (pthread_rwlock_trywrlock(&lock) != EBUSY) return 2;
  if (pthread_rwlock_timedrdlock(&lock, &past) != ETIMEDOUT) return 3;
  if (pthread_rwlock_timedwrlock(&lock, &past) != ETIMEDOUT) return 4;
  shared = 2; // here
  take_step();
  pthread_join(thread, NULL);
}
