// expect: data race
// also: c++
// names: value
#include "scenario.h"

// Writes after the initialisation are not covered by it.
pthread_once_t once = PTHREAD_ONCE_INIT;
int value;

static void initialise(void) { value = 1; }
NOINLINE static void first(void) {
  pthread_once(&once, initialise);
  value = 2; // here
}
NOINLINE static void second(void) {
  pthread_once(&once, initialise);
  CONSUME(value); // here
}

int main(void) { run_two(first, second); }
