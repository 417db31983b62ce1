// expect: data race
// names: mutex
// reports: 1
// The lock may be taken before it is initialised.
#include "scenario.h"

static pthread_mutex_t mutex;
int shared;

NOINLINE static void first(void) {
  pthread_mutex_init(&mutex, NULL); // here
  pthread_mutex_lock(&mutex);
  shared = 1;
  pthread_mutex_unlock(&mutex);
}
NOINLINE static void second(void) {
  pthread_mutex_lock(&mutex); // here
  shared = 2;
  pthread_mutex_unlock(&mutex);
}

int main(void) { run_two(first, second); }
