// expect: none
// modes: hb hybrid msm-short msm-long
// with: waiting.c
// flags: -flto=thin -fuse-ld=lld-{llvm}
// orders: signal-first wait-first
#include "scenario.h"

// Two flags share a condition variable; the function that waits is in another
// file.
void wait_elsewhere(pthread_mutex_t *mutex, pthread_cond_t *condition);
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
int left_ready, right_ready, left_value, right_value;

static void set(int *flag) {
  pthread_mutex_lock(&mutex);
  *flag = 1;
  pthread_cond_broadcast(&condition);
  pthread_mutex_unlock(&mutex);
  take_step();
}
static void *right_writer(void *unused) {
  right_value = 1;
  set(&right_ready);
  return unused;
}
static void *left_writer(void *unused) {
  wait_for_step(2);
  left_value = 1;
  set(&left_ready);
  return unused;
}
static void *left_reader(void *unused) {
  if (ordered("signal-first")) wait_for_step(3);
  pthread_mutex_lock(&mutex);
  if (!ordered("signal-first")) take_step();
  while (!left_ready) wait_elsewhere(&mutex, &condition);
  pthread_mutex_unlock(&mutex);
  USE(left_value);
  return unused;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], NULL, left_reader, NULL);
  if (ordered("signal-first"))
    take_step();
  else
    wait_for_step(1);
  pthread_create(&threads[1], NULL, right_writer, NULL);
  pthread_create(&threads[2], NULL, left_writer, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
}
