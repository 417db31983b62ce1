// expect: data race
// names: meeting
// One thread waits at a barrier that another initialises.
#include "scenario.h"

static pthread_barrier_t meeting;

NOINLINE static void first(void) {
  pthread_barrier_init(&meeting, NULL, 1); // here
}
NOINLINE static void second(void) {
  pthread_barrier_wait(&meeting); // here
}

int main(void) { run_two(first, second); }
