// expect: none
// orders: write-read read-write
// also: c++
#include "scenario.h"

char shared[100];
size_t length = 60, none = 0;

NOINLINE static void write_it(void) {
  memset(shared, 1, length);
  memset(shared + 90, 1, none);
}
NOINLINE static void read_it(void) { CONSUME(shared[90]); }

int main(void) { run_accesses(run_two, write_it, read_it); }
