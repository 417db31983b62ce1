// expect: data race
// orders: first-second second-first
// also: c++
// names: shared
#include "scenario.h"

pthread_spinlock_t lock;
int shared;

NOINLINE static void locked(void) {
  pthread_spin_lock(&lock);
  shared = 1; // here
  pthread_spin_unlock(&lock);
}
NOINLINE static void unlocked(void) {
  shared = 2; // here
}

int main(void) {
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
  run_ordered(locked, unlocked);
}
