// expect: data race
// tsan: skip, the annotations header is not among its own
// also: c++
// A block that lies where an annotated one lay is not annotated.
#include "racert/annotations.h"
#include "scenario.h"

int *block;

NOINLINE static void first(void) {
  *block = 1; // here
}
NOINLINE static void second(void) {
  *block = 2; // here
}

int main(void) {
  int *annotated = (int *)malloc(48);
  ANNOTATE_BENIGN_RACE(annotated, "of this block alone");
  free(annotated);
  block = (int *)malloc(48);
  if (block != annotated) abort();
  run_two(first, second);
  free(block);
}
