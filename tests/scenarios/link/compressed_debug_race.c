// expect: data race
// opt: O1
// flags: -gz=zlib -Wl,--compress-debug-sections=zlib
// names: shared
#include "scenario.h"

int shared;

NOINLINE static void write_it(void) {
  shared = 1; // here
}
NOINLINE static void read_it(void) {
  CONSUME(shared); // here
}

int main(void) { run_two(write_it, read_it); }
