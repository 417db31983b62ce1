// expect: none
// orders: write-read read-write
// also: c++
#include "scenario.h"

char shared[100];
size_t length = 60;

NOINLINE static void write_it(void) { memmove(shared + 5, shared, length); }
NOINLINE static void read_it(void) { CONSUME(shared[4]); }

int main(void) { run_accesses(run_two, write_it, read_it); }
