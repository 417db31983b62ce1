// expect: data race
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin
// names: #0 strncat (
#include "scenario.h"

char shared[32] = "some text";
char other[64];

NOINLINE static void writer(void) {
  shared[9] = 0; // here
}
NOINLINE static void reader(void) {
  strncat(shared, "tail", 4); // here
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
