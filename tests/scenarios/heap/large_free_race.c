// expect: data race with free
// also: c++
// reports: any
// tsan: misses: it looks at the first kilobyte only
#include "scenario.h"

// The whole of a large block is checked when it is freed.
char *block;

NOINLINE static void use(void) {
  block[5 << 20] = 1; // here
}
NOINLINE static void release(void) {
  free(block); // here
}

int main(void) {
  block = (char *)malloc(8 << 20);
  run_two(use, release);
}
