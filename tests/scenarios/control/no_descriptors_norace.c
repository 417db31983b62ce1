// expect: none
// opt: O1
#include <sys/resource.h>

#include "scenario.h"

int shared;

NOINLINE static void first(void) { shared = 1; }
NOINLINE static void second(void) { shared = 2; }

int main(void) {
  struct rlimit limit = {3, 3};
  if (setrlimit(RLIMIT_NOFILE, &limit)) return 1;
  run_joined(first, second);
}
