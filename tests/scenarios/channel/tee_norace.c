// expect: none
// flags: -D_GNU_SOURCE
// tsan: false alarm, it does not know the functions
#include <fcntl.h>
#include <unistd.h>

#include "scenario.h"

// What is copied from a pipe into another.
int payload;
int ends[2], others[2];

NOINLINE static void publish(void) {
  payload = 42;
  if (write(ends[1], "x", 1) != 1) abort();
}
NOINLINE static void use(void) {
  char byte;
  if (tee(ends[0], others[1], 1, 0) != 1 || read(others[0], &byte, 1) != 1) abort();
  CONSUME(payload);
}

int main(void) {
  if (pipe(ends) || pipe(others)) abort();
  run_two(publish, use);
}
