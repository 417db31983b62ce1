// expect: none
// tsan: skip, the annotations header is not among its own
// also: c++
#include "racert/annotations.h"
#include "scenario.h"

int shared, *block;

NOINLINE static void first(void) {
  shared = 1;
  *block = 1;
}
NOINLINE static void second(void) {
  ANNOTATE_FLUSH_STATE();
  shared = 2;
  *block = 2;
}

int main(void) {
  block = (int *)malloc(sizeof *block);
  run_two(first, second);
  free(block);
}
