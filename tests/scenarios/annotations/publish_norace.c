// expect: none
// tsan: skip, the annotations header is not among its own
// also: c++
#include "racert/annotations.h"
#include "scenario.h"

long published[4], taken_back[4], recycled[4];

NOINLINE static void first(void) {
  published[1] = 1;
  ANNOTATE_PUBLISH_MEMORY_RANGE(published, sizeof(published));
  taken_back[1] = 1;
  recycled[1] = 1;
}
NOINLINE static void second(void) {
  published[1] = 2;
  ANNOTATE_UNPUBLISH_MEMORY_RANGE(taken_back, sizeof(taken_back));
  taken_back[1] = 2;
  ANNOTATE_NEW_MEMORY(recycled, sizeof(recycled));
  recycled[1] = 2;
}

int main(void) { run_two(first, second); }
