// expect: data race
// also: c++
// names: payload
#include <errno.h>
#include <time.h>

#include "scenario.h"

// The loop is left by its timeout: nobody has handed anything over.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
int ready, payload;

NOINLINE static void use_it(void) {
  USE(payload); // here
}
static void *wait_in_vain(void *unused) {
  struct timespec past = {0, 0};
  int result = 0;
  pthread_mutex_lock(&mutex);
  while (!ready && result == 0) result = pthread_cond_timedwait(&condition, &mutex, &past);
  pthread_mutex_unlock(&mutex);
  use_it();
  take_step();
  // Some detectors say nothing the first time.
  wait_for_step(2);
  use_it();
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, wait_in_vain, NULL);
  wait_for_step(1);
  payload = 42; // here
  take_step();
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
}
