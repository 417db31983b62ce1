// expect: lock-order inversion (potential deadlock)
// orders: first-second second-first
// also: c++
// names: lock 'a', lock 'b'
// tsan: misses, it does not take such annotations for its deadlock detector
#include "racert/annotations.h"
#include "scenario.h"

// Locks of the program's own making, known from annotations.
int a, b;

INVISIBLE static void get(int *lock) {
  int old = 1;
  do __asm__ volatile("xchgl %0, (%1)" : "+r"(old) : "r"(lock) : "memory");
  while (old);
}
INVISIBLE static void put(int *lock) { __asm__ volatile("movl $0, (%0)" : : "r"(lock) : "memory"); }
static void lock(int *lock) {
  get(lock);
  ANNOTATE_RWLOCK_ACQUIRED(lock, 1);
}
static void unlock(int *lock) {
  ANNOTATE_RWLOCK_RELEASED(lock, 1);
  put(lock);
}
NOINLINE static void first(void) {
  lock(&a);
  lock(&b);
  unlock(&b);
  unlock(&a);
}
NOINLINE static void second(void) {
  lock(&b);
  lock(&a);
  unlock(&a);
  unlock(&b);
}

int main(void) { run_ordered(first, second); }
