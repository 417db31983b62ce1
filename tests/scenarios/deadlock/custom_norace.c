// expect: none
// orders: first-second second-first
// also: c++
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
int main(void) { run_ordered(first, first); }
