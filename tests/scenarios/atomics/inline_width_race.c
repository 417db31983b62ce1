// expect: data race
// names: shared
// also: c++
// tsan: misses it: it does not see inline assembly
#include "scenario.h"

// The operand is a char, the instruction changes all eight of them.
union {
  long whole;
  int half[2];
} shared;

NOINLINE static void count(void) {
  __asm__ volatile("lock incq %0" : "+m"(*(char *)&shared) : : "memory"); // here
}
NOINLINE static void other_half(void) {
  shared.half[1] = 7; // here
}

int main(void) { run_two(count, other_half); }
