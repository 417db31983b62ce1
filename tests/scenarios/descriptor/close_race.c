// expect: race on a file descriptor
// orders: first-second second-first
// also: c++
// names: file descriptor, #0 close, #0 write
#include <unistd.h>

#include "scenario.h"

// One thread closes what another still uses.
int ends[2];

NOINLINE static void use(void) {
  if (write(ends[1], "m", 1) > 1) abort(); // here
}
NOINLINE static void end(void) {
  close(ends[1]); // here
}

int main(void) {
  if (pipe(ends)) return 1;
  run_ordered(use, end);
}
