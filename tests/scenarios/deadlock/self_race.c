// expect: double lock of a mutex
// also: c++
// names: mutex 'mutex', holds itself
// timeout: 300
// tsan: skip, it hangs
#include "scenario.h"

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

NOINLINE static void first(void) {
  pthread_mutex_lock(&mutex); // here
  pthread_mutex_lock(&mutex); // here
}
NOINLINE static void second(void) {}

int main(void) { run_two(first, second); }
