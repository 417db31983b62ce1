// expect: data race
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin
// names: #0 strndup (
#include "scenario.h"

char shared[32] = "some text";

NOINLINE static void writer(void) {
  shared[0] = 'S'; // here
}
NOINLINE static void reader(void) {
  free(strndup(shared, 20)); // here
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
