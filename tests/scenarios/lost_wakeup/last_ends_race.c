// expect: lost wake-up
// also: c++
// names: condition variable 'condition', has not been signalled at all
// timeout: 300
// tsan: skip, it hangs
#include "scenario.h"

// The thread that should have signalled ends without.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
int ready;

NOINLINE static void *worker(void *unused) {
  wait_for_step(1);
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  pthread_detach(thread);
  pthread_mutex_lock(&mutex);
  take_step();
  while (!ready) pthread_cond_wait(&condition, &mutex); // here
  pthread_mutex_unlock(&mutex);
}
