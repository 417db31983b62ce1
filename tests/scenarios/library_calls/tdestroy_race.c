// expect: data race
// opt: O1
// flags: -fno-builtin -D_GNU_SOURCE
// names: #0 tdestroy (
// tsan: skip, it does not know the function
#include <search.h>

#include "scenario.h"

// A tree that another thread has just added to.
static int compare(const void *a, const void *b) { return *(const char *)a - *(const char *)b; }
static void keep(void *key) { CONSUME(key); }
static void *tree, *root;

NOINLINE static void first(void) {
  tsearch("3", &tree, compare); // here
}
NOINLINE static void second(void) {
  tdestroy(root, keep); // here
}

int main(void) {
  tsearch("2", &tree, compare);
  root = tree;
  run_two(first, second);
}
