// expect: data race
// also: c++
// names: right_value
#include "scenario.h"

// As with one condition variable for two conditions, but the right writer
// comes only after the left reader went on: a race in any mode.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
int left_ready, right_ready, right_value;

static void set(int *flag) {
  pthread_mutex_lock(&mutex);
  *flag = 1;
  pthread_cond_broadcast(&condition);
  pthread_mutex_unlock(&mutex);
  take_step();
}
NOINLINE static void use_it(void) {
  USE(right_value); // here
}
static void *left_reader(void *unused) {
  pthread_mutex_lock(&mutex);
  while (!left_ready) pthread_cond_wait(&condition, &mutex);
  pthread_mutex_unlock(&mutex);
  use_it();
  take_step();
  // Some detectors say nothing the first time.
  wait_for_step(3);
  use_it();
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, left_reader, NULL);
  set(&left_ready);
  wait_for_step(2);
  right_value = 1; // here
  set(&right_ready);
  pthread_join(thread, NULL);
}
