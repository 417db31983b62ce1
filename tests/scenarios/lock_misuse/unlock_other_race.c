// expect: unlock of a mutex by a thread that does not hold it
// also: c++
// names: mutex 'mutex', thread T1 holds
#include "scenario.h"

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

NOINLINE static void first(void) { pthread_mutex_lock(&mutex); }
NOINLINE static void second(void) {
  pthread_mutex_unlock(&mutex); // here
}

int main(void) { run_held(first, second); }
