// expect: data race
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin -D_GNU_SOURCE
// names: #0 qsort_r (, #0 getdelim (
// reports: any
// tsan: skip, it does not know all of the functions
#include <stdio.h>

#include "scenario.h"

// Sorting with an argument, and lines up to any character.
__attribute__((disable_sanitizer_instrumentation)) static int compare(const void *a, const void *b, void *with) {
  (void)with;
  return *(const int *)a - *(const int *)b;
}
int a0[4] = {3, 1, 2, 4};
char *a1;
size_t a1_room;
char *a2;
size_t a2_room;

NOINLINE static void writer(void) {
  CONSUME(a0[3]); // here
  CONSUME(a1); // here
  CONSUME(a2_room); // here
}
NOINLINE static void reader(void) {
  qsort_r(a0, 4, sizeof *a0, compare, NULL); // here
  CONSUME(getdelim(&a1, &a1_room, ' ', fopen("/proc/version", "r"))); // here
  CONSUME(getdelim(&a2, &a2_room, ' ', fopen("/proc/version", "r"))); // here
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
