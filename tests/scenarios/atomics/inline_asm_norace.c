// expect: none
// also: c++
// tsan: false alarm: it does not see inline assembly
#include "scenario.h"

int flag, payload;

NOINLINE static void publish(void) {
  payload = 42;
  __asm__ volatile("lock; incl %0" : "+m"(flag) : : "memory", "cc");
}
NOINLINE static void use(void) {
  int seen = 0;
  __asm__ volatile("lock; xaddl %0, %1" : "+r"(seen), "+m"(flag) : : "memory", "cc");
  if (seen != 1) abort();
  CONSUME(payload);
}

int main(void) { run_two(publish, use); }
