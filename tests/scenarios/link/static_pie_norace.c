// expect: none
// opt: O1
// orders: write-read read-write
// flags: -static-pie
// tsan: skip: it does not link statically
#include "scenario.h"

int shared;

NOINLINE static void write_it(void) { shared = 1; }
NOINLINE static void read_it(void) { CONSUME(shared); }

int main(void) { run_accesses(run_joined, write_it, read_it); }
