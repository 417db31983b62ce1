// expect: none
// also: c++
#include "scenario.h"

// Memory that comes back again and again.
NOINLINE static void use_and_release(void) {
  for (int i = 0; i < 1000; i++) {
    char *volatile block = (char *)malloc(40 + i % 3 * 100);
    block[8] = 1;
    block[39] = 2;
    free(block);
  }
}

int main(void) { run_two(use_and_release, use_and_release); }
