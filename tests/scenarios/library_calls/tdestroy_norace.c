// expect: none
// opt: O1
// flags: -fno-builtin -D_GNU_SOURCE
// tsan: skip, it does not know the function
#include <search.h>

#include "scenario.h"

// Each destroys a tree of its own, and nobody one that is empty.
static int compare(const void *a, const void *b) { return *(const char *)a - *(const char *)b; }
static int kept;
static void keep(void *key) { kept += *(const char *)key == '1'; }
static void *trees[2];

NOINLINE static void first(void) { tsearch("3", &trees[0], compare); }
NOINLINE static void second(void) {
  tsearch("1", &trees[1], compare);
  tdestroy(trees[1], keep);
  tdestroy(NULL, keep);
  if (kept != 1) abort();
}

int main(void) {
  tsearch("2", &trees[0], compare);
  run_two(first, second);
}
