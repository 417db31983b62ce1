// expect: data race
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin -D_GNU_SOURCE
// names: #0 sincos (
// tsan: skip, it needs the library
#include <math.h>

#include "scenario.h"

// Linkers leave a library out of which nothing else is needed.
double sine, cosine;

NOINLINE static void writer(void) {
  sincos(0, &sine, &cosine); // here
}
NOINLINE static void reader(void) {
  CONSUME(cosine); // here
}

int main(void) { run_accesses(run_two, writer, reader); }
