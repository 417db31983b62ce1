// expect: data race
// expect msm-long: none
// names: ready
// The signal may come when the condition variable is gone already.
#include "scenario.h"

static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;

NOINLINE static void first(void) {
  pthread_cond_signal(&ready); // here
}
NOINLINE static void second(void) {
  pthread_cond_destroy(&ready); // here
}

int main(void) { run_two(first, second); }
