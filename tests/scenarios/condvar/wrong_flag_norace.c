// expect: none
// also: c++
#include "scenario.h"

// The reader of the right value waits for the right flag.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
int left_ready, right_ready, right_value;

static void set(int *flag) {
  pthread_mutex_lock(&mutex);
  *flag = 1;
  pthread_cond_broadcast(&condition);
  pthread_mutex_unlock(&mutex);
}
static void *right_reader(void *unused) {
  pthread_mutex_lock(&mutex);
  while (!right_ready) pthread_cond_wait(&condition, &mutex);
  pthread_mutex_unlock(&mutex);
  CONSUME(right_value);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, right_reader, NULL);
  set(&left_ready);
  right_value = 1;
  set(&right_ready);
  pthread_join(thread, NULL);
}
