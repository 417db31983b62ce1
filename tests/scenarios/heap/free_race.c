// expect: data race with free
// also: c++
// reports: any
#include "scenario.h"

int *block;

NOINLINE static void use(void) {
  block[3] = 1; // here
}
NOINLINE static void release(void) {
  free(block); // here
}

int main(void) {
  block = (int *)malloc(10 * sizeof *block);
  run_two(use, release);
}
