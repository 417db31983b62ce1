// expect: data race
// stderr: closed
#include <unistd.h>

#include "scenario.h"

// The report has nowhere to go, the exit code still tells.
int shared;

NOINLINE static void first(void) { shared = 1; }
NOINLINE static void second(void) { shared = 2; }

int main(void) {
  close(2);
  run_two(first, second);
}
