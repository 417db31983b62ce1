// expect: thread ends with a locked mutex
// also: c++
// names: mutex 'mutex', Thread T1 has ended
#include "scenario.h"

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

NOINLINE static void first(void) {
  pthread_mutex_lock(&mutex); // here
}
NOINLINE static void second(void) {}

int main(void) { run_two(first, second); }
