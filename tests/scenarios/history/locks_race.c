// expect: data race
// opt: O0 O2
// names: shared
// tsan: misses: the first access has left its history
// timeout: 300
#include "scenario.h"

// The first thread is gone, and 100,000 lock operations have passed.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int shared, guarded;

static void *first(void *unused) {
  shared = 1; // here
  take_step();
  return unused;
}
static void *second(void *unused) {
  wait_for_step(1);
  for (int i = 0; i < 100000; ++i) {
    pthread_mutex_lock(&mutex);
    guarded += 1;
    pthread_mutex_unlock(&mutex);
  }
  shared = 2; // here
  return unused;
}

int main(void) {
  pthread_t thread, other;
  pthread_create(&thread, NULL, first, NULL);
  pthread_detach(thread);
  pthread_create(&other, NULL, second, NULL);
  pthread_join(other, NULL);
}
