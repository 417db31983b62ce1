// expect: none
// also: c++
#include "scenario.h"

pthread_barrier_t barrier;

NOINLINE static void *waiter(void *argument) {
  pthread_barrier_wait(&barrier);
  return argument;
}

int main(void) {
  for (int i = 0; i < 3; ++i) {
    pthread_t thread;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, waiter, NULL);
    pthread_barrier_wait(&barrier);
    pthread_barrier_destroy(&barrier);
    pthread_barrier_init(&barrier, NULL, 5);
    pthread_join(thread, NULL);
  }
}
