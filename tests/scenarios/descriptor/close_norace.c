// expect: none
// also: c++
#include <unistd.h>

#include "scenario.h"

// Using a descriptor at the same time is no race, and closing it after all is
// over neither.
int ends[2];

NOINLINE static void use(void) {
  if (write(ends[1], "m", 1) != 1) abort();
}

int main(void) {
  if (pipe(ends)) return 1;
  run_two(use, use);
  close(ends[1]);
}
