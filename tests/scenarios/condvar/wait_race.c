// expect: data race
// also: c++
// names: payload
#include "scenario.h"

// The payload is written after the signal and the unlock.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
int ready, payload;

NOINLINE static void write_late(void) {
  payload = 42; // here
}
NOINLINE static void publish(void) {
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
  write_late();
}
static void *wait_and_use(void *unused) {
  pthread_mutex_lock(&mutex);
  while (!ready) pthread_cond_wait(&condition, &mutex);
  pthread_mutex_unlock(&mutex);
  wait_for_step(1);
  USE(payload); // here
  take_step();
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, wait_and_use, NULL);
  publish();
  take_step();
  wait_for_step(2);
  // Some detectors say nothing the first time.
  write_late();
  pthread_join(thread, NULL);
}
