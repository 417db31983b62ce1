// expect: race on a file descriptor
// names: file descriptor, #0 close
#include <fcntl.h>
#include <unistd.h>

#include "scenario.h"

// A file is put in the place of one that another thread closes.
int number, other;

NOINLINE static void replace(void) {
  if (dup2(other, number) != number) abort(); // here
}
NOINLINE static void end(void) {
  close(number); // here
}

int main(void) {
  number = open("/dev/null", O_RDONLY);
  other = open("/dev/zero", O_RDONLY);
  run_two(replace, end);
}
