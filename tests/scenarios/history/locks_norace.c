// expect: none
// opt: O0 O2
// timeout: 300
#include "scenario.h"

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int shared;

static void *first(void *unused) {
  pthread_mutex_lock(&mutex);
  shared = 1;
  pthread_mutex_unlock(&mutex);
  take_step();
  return unused;
}
static void *second(void *unused) {
  wait_for_step(1);
  for (int i = 0; i < 100000; ++i) {
    pthread_mutex_lock(&mutex);
    shared += 1;
    pthread_mutex_unlock(&mutex);
  }
  shared = 2;
  return unused;
}

int main(void) {
  pthread_t thread, other;
  pthread_create(&thread, NULL, first, NULL);
  pthread_detach(thread);
  pthread_create(&other, NULL, second, NULL);
  pthread_join(other, NULL);
}
