// expect: data race
// also: c++
// names: payload
#include "scenario.h"

// A store to one flag does not order threads that load another.
int flags[2], payload;

static void set(int *flag, int value) {
  __asm__ volatile("movl %1, %0" : "=m"(*flag) : "r"(value) : "memory");
}
static int get(const int *flag) {
  int value;
  __asm__ volatile("movl %1, %0" : "=r"(value) : "m"(*flag) : "memory");
  return value;
}

NOINLINE static void publish(void) {
  payload = 42; // here
  set(&flags[0], 1);
}
NOINLINE static void use(void) {
  if (get(&flags[1]) != 0) abort();
  CONSUME(payload); // here
}

int main(void) { run_two(publish, use); }
