// expect: data race
// also: c++
// names: shared
#include "scenario.h"
#include "tsan_interface.h"

int shared, channel;

NOINLINE static void first(void) {
  __tsan_release(&channel);
  shared = 1; // here
}
NOINLINE static void second(void) {
  __tsan_acquire(&channel);
  shared = 2; // here
}

int main(void) { run_two(first, second); }
