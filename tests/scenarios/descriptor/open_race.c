// expect: race on a file descriptor
// names: file descriptor, #0 open, #0 read
#include <fcntl.h>
#include <unistd.h>

#include "scenario.h"

// The other thread guesses the number.
NOINLINE static void make(void) {
  if (open("/dev/null", O_RDONLY) != 3) abort(); // here
}
NOINLINE static void use(void) {
  char byte;
  if (read(3, &byte, 1) != 0) abort(); // here
}

int main(void) {
  close(3);
  run_two(make, use);
}
