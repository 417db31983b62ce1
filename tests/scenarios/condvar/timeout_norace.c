// expect: none
// also: c++
#include <errno.h>
#include <time.h>

#include "scenario.h"

// Who times out leaves the payload alone.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
int ready, payload;

static void *wait_in_vain(void *unused) {
  struct timespec past = {0, 0};
  int result = 0;
  pthread_mutex_lock(&mutex);
  while (!ready && result == 0) result = pthread_cond_timedwait(&condition, &mutex, &past);
  if (result == 0) CONSUME(payload);
  pthread_mutex_unlock(&mutex);
  take_step();
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, wait_in_vain, NULL);
  wait_for_step(1);
  payload = 42;
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
}
