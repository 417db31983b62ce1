// expect: lost wake-up
// also: c++
// names: condition variable 'condition', that signal is lost, waits for the end of
// timeout: 300
// tsan: skip, it hangs
#include "scenario.h"

// The signal comes first, and the waiter does not look whether it has.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
int ready;

NOINLINE static void *waiter(void *unused) {
  wait_for_step(1);
  pthread_mutex_lock(&mutex);
  pthread_cond_wait(&condition, &mutex); // here
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, waiter, NULL);
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_cond_signal(&condition); // here
  pthread_mutex_unlock(&mutex);
  take_step();
  pthread_join(thread, NULL); // here
}
