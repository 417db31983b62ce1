// expect: none
// also: c++
#include "scenario.h"
#include "tsan_interface.h"

int shared, channel;

NOINLINE static void first(void) {
  shared = 1;
  __tsan_release(&channel);
}
NOINLINE static void second(void) {
  __tsan_acquire(&channel);
  shared = 2;
}

int main(void) { run_two(first, second); }
