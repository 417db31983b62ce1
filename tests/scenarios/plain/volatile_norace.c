// expect: none
// orders: write-read read-write
// also: c++
#include "scenario.h"

volatile int shared = 1;

NOINLINE static void read_it(void) { CONSUME(shared); }
NOINLINE static void read_again(void) { CONSUME(shared); }

int main(void) { run_accesses(run_two, read_it, read_again); }
