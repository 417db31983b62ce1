// expect: none
// orders: first-second second-first
// also: c++
#include "scenario.h"

pthread_once_t once = PTHREAD_ONCE_INIT;
int value;

static void initialise(void) { value = 1; }
NOINLINE static void first(void) {
  pthread_once(&once, initialise);
  CONSUME(value);
}
NOINLINE static void second(void) {
  pthread_once(&once, initialise);
  CONSUME(value);
}

int main(void) { run_ordered(first, second); }
