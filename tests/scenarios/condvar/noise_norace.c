// expect: none
// also: c++
// orders: before-wait while-waiting
#include "scenario.h"

// A thread that changes nothing signals all the same, but it has ended before
// the condition is made true.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
int ready, noise;

static void *make_noise(void *unused) {
  noise = 1;
  pthread_mutex_lock(&mutex);
  pthread_cond_broadcast(&condition);
  pthread_mutex_unlock(&mutex);
  take_step();
  return unused;
}
static void *wait_and_use(void *unused) {
  if (ordered("before-wait")) wait_for_step(1);
  pthread_mutex_lock(&mutex);
  take_step();
  while (!ready) pthread_cond_wait(&condition, &mutex);
  pthread_mutex_unlock(&mutex);
  USE(noise);
  return unused;
}

int main(void) {
  pthread_t noisy, waiter;
  pthread_create(&waiter, NULL, wait_and_use, NULL);
  if (!ordered("before-wait")) wait_for_step(1);
  pthread_create(&noisy, NULL, make_noise, NULL);
  wait_for_step(2);
  pthread_join(noisy, NULL);
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_cond_broadcast(&condition);
  pthread_mutex_unlock(&mutex);
  pthread_join(waiter, NULL);
}
