// expect: none
// also: c++
// orders: under-lock lock-between timed
#include <time.h>

#include "scenario.h"

// Signalling without the mutex is fine if it was held while the condition was
// changed, or at least once between the change and the signal; and who waits
// with a time limit does not depend on the signal. What was set before the
// thread began is none of this.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
int ready, enabled;

static int is_timed(void) { return ordered("timed"); }
static void *waiter(void *unused) {
  struct timespec late = {0x7fffffff, 0};
  pthread_mutex_lock(&mutex);
  take_step();
  while (!__atomic_load_n(&ready, __ATOMIC_ACQUIRE) || !enabled) {
    if (is_timed())
      pthread_cond_timedwait(&condition, &mutex, &late);
    else
      pthread_cond_wait(&condition, &mutex);
  }
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  enabled = 1;
  pthread_create(&thread, NULL, waiter, NULL);
  wait_for_step(1);
  pthread_mutex_lock(&mutex);
  if (ordered("under-lock")) __atomic_store_n(&ready, 1, __ATOMIC_RELEASE);
  pthread_mutex_unlock(&mutex);
  if (!ordered("under-lock")) __atomic_store_n(&ready, 1, __ATOMIC_RELEASE);
  if (ordered("lock-between")) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  }
  pthread_cond_signal(&condition);
  pthread_join(thread, NULL);
}
