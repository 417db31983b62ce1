// expect: none
// orders: write-read read-write
// also: c++
#include "scenario.h"

char shared[25], source[24];

NOINLINE static void write_it(void) { memcpy(shared, source, sizeof source); }
NOINLINE static void read_it(void) { CONSUME(shared[24]); }

int main(void) { run_accesses(run_two, write_it, read_it); }
