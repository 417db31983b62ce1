// expect: none
// opt: O1
// flags: -gz=zlib -Wl,--compress-debug-sections=zlib
#include "scenario.h"

int shared;

NOINLINE static void write_it(void) { shared = 1; }
NOINLINE static void read_it(void) { CONSUME(shared); }

int main(void) { run_joined(write_it, read_it); }
