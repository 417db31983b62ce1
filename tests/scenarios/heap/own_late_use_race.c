// expect: heap use after free
// also: c++
// flags: -Wno-use-after-free
// tsan: skip, its report has another name
#include "scenario.h"

// One thread alone does both.
NOINLINE static void release_and_use(void) {
  char *volatile block = (char *)malloc(40);
  block[8] = 1;
  free(block); // here
  block[8] = 2; // here
}
NOINLINE static void nothing(void) {}

int main(void) { run_two(release_and_use, nothing); }
