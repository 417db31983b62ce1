// expect: data race
// flags: -D_GNU_SOURCE
// names: payload
#include <fcntl.h>
#include <unistd.h>

#include "scenario.h"

// What is copied from a pipe into another.
int payload;
int ends[2], others[2];

NOINLINE static void publish(void) {
  if (write(ends[1], "x", 1) != 1) abort();
  payload = 42; // here
}
NOINLINE static void use(void) {
  char byte;
  if (tee(ends[0], others[1], 1, 0) != 1 || read(others[0], &byte, 1) != 1) abort();
  CONSUME(payload); // here
}

int main(void) {
  if (pipe(ends) || pipe(others)) abort();
  run_two(publish, use);
}
