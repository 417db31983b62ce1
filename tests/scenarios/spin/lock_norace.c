// expect: none
// orders: first-second second-first
// also: c++
#include "scenario.h"

pthread_spinlock_t lock;
int shared;

NOINLINE static void first(void) {
  pthread_spin_lock(&lock);
  shared = 1;
  pthread_spin_unlock(&lock);
}
NOINLINE static void second(void) {
  if (pthread_spin_trylock(&lock)) abort();
  shared = 2;
  pthread_spin_unlock(&lock);
}

int main(void) {
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
  run_ordered(first, second);
  pthread_spin_destroy(&lock);
}
