// expect: none
// orders: write-read read-write
// also: c++
#include "scenario.h"

// Two halves of one aligned word; nothing overlaps.
union {
  short halves[2];
  char bytes[4];
} shared;

NOINLINE static void write_it(void) { shared.halves[0] = 7; }
NOINLINE static void read_it(void) { CONSUME(shared.bytes[2]); }

int main(void) { run_accesses(run_two, write_it, read_it); }
