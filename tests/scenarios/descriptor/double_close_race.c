// expect: race on a file descriptor
// names: file descriptor, #0 close
#include <unistd.h>

#include "scenario.h"

// Both threads close it: in another order one of them closes a stranger's.
int ends[2];

NOINLINE static void first(void) {
  close(ends[0]); // here
}
NOINLINE static void second(void) {
  close(ends[0]); // here
}

int main(void) {
  if (pipe(ends)) return 1;
  run_two(first, second);
}
