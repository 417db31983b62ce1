// expect: none
// orders: write-read read-write
// also: c++
#include "scenario.h"

#include <string.h>

struct {
  int before;
  char filled[18];
  short after;
} shared __attribute__((aligned(16)));

NOINLINE static void write_it(void) { memset(shared.filled, 1, sizeof shared.filled); }
NOINLINE static void read_it(void) {
  CONSUME(shared.before);
  CONSUME(shared.after);
}

int main(void) { run_accesses(run_two, write_it, read_it); }
