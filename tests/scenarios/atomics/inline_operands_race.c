// expect: data race
// also: c++
// names: count
// tsan: misses it: it does not see inline assembly
#include "scenario.h"

// An atomic change of memory that the assembly names as an input.
int count;

NOINLINE static void change(void) {
  int seen;
  __asm__ volatile("lock; cmpxchgl %1, %2" // here
                   : "=a"(seen)
                   : "r"(1), "m"(count), "0"(0)
                   : "memory", "cc");
  if (seen != 0) abort();
}
NOINLINE static void look(void) {
  CONSUME(count); // here
}

int main(void) { run_two(change, look); }
