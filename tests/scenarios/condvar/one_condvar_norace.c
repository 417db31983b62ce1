// expect: none
// also: c++
// orders: signal-first wait-first
#include "scenario.h"

// Two conditions share one condition variable: a broadcast for either wakes
// both waiters, and each goes on only when its own flag is set.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
int left_ready, right_ready, left_value, right_value;

NOINLINE static void arrive(void) {
  if (ordered("signal-first")) wait_for_step(2);
  pthread_mutex_lock(&mutex);
  if (!ordered("signal-first")) take_step();
}
NOINLINE static void set(int *flag) {
  if (!ordered("signal-first")) wait_for_step(2);
  pthread_mutex_lock(&mutex);
  *flag = 1;
  pthread_cond_broadcast(&condition);
  pthread_mutex_unlock(&mutex);
  take_step();
}
static void *left_writer(void *unused) {
  left_value = 1;
  set(&left_ready);
  return unused;
}
static void *right_writer(void *unused) {
  right_value = 1;
  set(&right_ready);
  return unused;
}
static void *left_reader(void *unused) {
  arrive();
  while (!left_ready) pthread_cond_wait(&condition, &mutex);
  pthread_mutex_unlock(&mutex);
  CONSUME(left_value);
  return unused;
}
static void *right_reader(void *unused) {
  arrive();
  while (!right_ready) pthread_cond_wait(&condition, &mutex);
  pthread_mutex_unlock(&mutex);
  CONSUME(right_value);
  return unused;
}

int main(void) {
  void *(*bodies[])(void *) = {left_reader, right_reader, left_writer, right_writer};
  pthread_t threads[4];
  for (int i = 0; i < 4; ++i) pthread_create(&threads[i], NULL, bodies[i], NULL);
  for (int i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
}
