// expect: data race
// opt: O1
// names: thread
#include <sys/resource.h>

#include "scenario.h"

// No file can be opened any more when the report is made, so it may lack lines.
int shared;

NOINLINE static void first(void) { shared = 1; }
NOINLINE static void second(void) { shared = 2; }

int main(void) {
  struct rlimit limit = {3, 3};
  if (setrlimit(RLIMIT_NOFILE, &limit)) return 1;
  run_two(first, second);
}
