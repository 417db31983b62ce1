// expect: none
// flags: -D_GNU_SOURCE
#include <fcntl.h>
#include <unistd.h>

#include "scenario.h"

// A pipe through a number that was asked for.
int payload;
int ends[2], other;

NOINLINE static void publish(void) {
  payload = 42;
  if (write(other, "x", 1) != 1) abort();
}
NOINLINE static void use(void) {
  char byte;
  if (read(ends[0], &byte, 1) != 1) abort();
  CONSUME(payload);
}

int main(void) {
  if (pipe(ends)) abort();
  other = dup3(ends[1], ends[1] + 20, O_CLOEXEC);
  if (other < 0) abort();
  run_two(publish, use);
}
