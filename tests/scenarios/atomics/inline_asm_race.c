// expect: data race
// also: c++
// names: payload
#include "scenario.h"

// A locked instruction on one flag does not order threads that use another.
int flags[2], payload;

NOINLINE static void publish(void) {
  payload = 42; // here
  __asm__ volatile("lock; incl %0" : "+m"(flags[0]) : : "memory", "cc");
}
NOINLINE static void use(void) {
  __asm__ volatile("lock; incl %0" : "+m"(flags[1]) : : "memory", "cc");
  CONSUME(payload); // here
}

int main(void) { run_two(publish, use); }
