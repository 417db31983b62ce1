// expect: none
#include <unistd.h>

#include "scenario.h"

// Each thread closes its own.
int ends[2];

NOINLINE static void first(void) { close(ends[0]); }
NOINLINE static void second(void) { close(ends[1]); }

int main(void) {
  if (pipe(ends)) return 1;
  run_two(first, second);
}
