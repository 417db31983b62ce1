// expect: data race
// orders: write-read read-write write-write
// also: c++
// names: shared
#include "scenario.h"

#include <string.h>

// A fill that begins and ends within aligned words.
struct {
  int before;
  char filled[18];
  short after;
} shared __attribute__((aligned(16)));

NOINLINE static void write_it(void) {
  memset(shared.filled, 1, sizeof shared.filled); // here
}
NOINLINE static void read_it(void) {
  CONSUME(shared.filled[17]); // here: write-read read-write
}

int main(void) { run_accesses(run_two, write_it, read_it); }
