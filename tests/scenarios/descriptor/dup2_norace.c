// expect: none
#include <fcntl.h>
#include <unistd.h>

#include "scenario.h"

// Putting another file in the place of one in use is how careful programs end
// its use.
int number, other;

NOINLINE static void replace(void) {
  if (dup2(other, number) != number) abort();
}
NOINLINE static void use(void) {
  char byte;
  if (read(number, &byte, 1) < 0) abort();
}

int main(void) {
  number = open("/dev/null", O_RDONLY);
  other = open("/dev/zero", O_RDONLY);
  run_two(replace, use);
}
