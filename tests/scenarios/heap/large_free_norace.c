// expect: none
// also: c++
#include "scenario.h"

char *block;

NOINLINE static void use(void) {
  block[5 << 20] = 1;
  block[(8 << 20) - 1] = 1;
}
NOINLINE static void release(void) { free(block); }

int main(void) {
  // The same address, mostly, with nothing left over from its last life.
  for (int i = 0; i < 10; ++i) {
    block = (char *)malloc(8 << 20);
    invisible_step = 0;
    run_joined(use, release);
  }
}
