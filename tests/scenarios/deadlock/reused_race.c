// expect: lock-order inversion (potential deadlock)
// orders: first-second second-first
// also: c++
// names: 'memory'
#include "scenario.h"

// Two locks in one array.
pthread_mutex_t memory[2];

static void use(pthread_mutex_t *a, pthread_mutex_t *b) {
  pthread_mutex_lock(a); // here
  pthread_mutex_lock(b); // here
  pthread_mutex_unlock(b);
  pthread_mutex_unlock(a);
}
NOINLINE static void first(void) { use(&memory[0], &memory[1]); }
NOINLINE static void second(void) { use(&memory[1], &memory[0]); }

int main(void) {
  pthread_mutex_init(&memory[0], NULL);
  pthread_mutex_init(&memory[1], NULL);
  run_ordered(first, second);
}
