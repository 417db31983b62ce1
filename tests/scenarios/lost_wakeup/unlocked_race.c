// expect: lost wake-up
// also: c++
// names: condition variable 'condition', that signal is lost
// timeout: 300
// tsan: skip, it hangs
#include "scenario.h"

// The condition is changed and signalled between the look and the wait, because
// the mutex is not held for that.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
int ready;

NOINLINE static int look(void) {
  int result = __atomic_load_n(&ready, __ATOMIC_ACQUIRE);
  if (!result) {
    take_step();
    wait_for_step(2);
  }
  return result;
}
NOINLINE static void *waiter(void *unused) {
  pthread_mutex_lock(&mutex);
  while (!look()) pthread_cond_wait(&condition, &mutex); // here
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, waiter, NULL);
  wait_for_step(1);
  __atomic_store_n(&ready, 1, __ATOMIC_RELEASE);
  pthread_cond_signal(&condition); // here
  take_step();
  pthread_join(thread, NULL);
}
