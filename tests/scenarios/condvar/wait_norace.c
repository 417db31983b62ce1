// expect: none
// also: c++
#include "scenario.h"

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
int ready, payload;

NOINLINE static void publish(void) {
  payload = 42;
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
}
static void *wait_and_use(void *unused) {
  pthread_mutex_lock(&mutex);
  take_step();
  while (!ready) pthread_cond_wait(&condition, &mutex);
  pthread_mutex_unlock(&mutex);
  CONSUME(payload);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, wait_and_use, NULL);
  wait_for_step(1);
  publish();
  pthread_join(thread, NULL);
}
