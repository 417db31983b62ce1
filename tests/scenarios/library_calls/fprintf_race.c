// expect: data race
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin
// names: #0 fprintf (
#include "scenario.h"

char shared[32] = "some text";
char other[64];
FILE *stream;

NOINLINE static void writer(void) {
  shared[0] = 'S'; // here
}
NOINLINE static void reader(void) {
  fprintf(stream, "%s %ld %g\n", shared, 1L, 2.0); // here
}

int main(void) {
  stream = fopen("/dev/null", "w");
  run_accesses(run_two, writer, reader);
}
