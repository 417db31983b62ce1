// expect: data race
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin
// names: #0 strcmp (
#include "scenario.h"

char shared[32] = "some text";
char other[64];

NOINLINE static void writer(void) {
  shared[0] = 'S'; // here
}
NOINLINE static void reader(void) {
  CONSUME(strcmp("some text", shared)); // here
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
