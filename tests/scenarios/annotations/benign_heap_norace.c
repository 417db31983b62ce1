// expect: none
// also: c++
// tsan: skip, the annotations header is not among its own
#include "racert/annotations.h"
#include "scenario.h"

int *block;

NOINLINE static void first(void) { *block = 1; }
NOINLINE static void second(void) { *block = 2; }

int main(void) {
  free(malloc(48));
  block = (int *)malloc(48);
  ANNOTATE_BENIGN_RACE(block, "of this block");
  run_two(first, second);
  free(block);
}
