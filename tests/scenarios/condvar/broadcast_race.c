// expect: data race
// also: c++
// names: payload
#include "scenario.h"

// Two waiters woken by one broadcast are not ordered with each other.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
int ready, payload;

NOINLINE static void wait_until_ready(void) {
  pthread_mutex_lock(&mutex);
  while (!ready) pthread_cond_wait(&condition, &mutex);
  pthread_mutex_unlock(&mutex);
  take_step();
  wait_for_step(2);
}
NOINLINE static void write_it(void) {
  payload = 1; // here
}
static void *first(void *unused) {
  wait_until_ready();
  write_it();
  take_step();
  wait_for_step(4);
  write_it();
  return unused;
}
static void *second(void *unused) {
  wait_until_ready();
  wait_for_step(3);
  payload = 2; // here
  take_step();
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, first, NULL);
  pthread_create(&threads[1], NULL, second, NULL);
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_cond_broadcast(&condition);
  pthread_mutex_unlock(&mutex);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
}
