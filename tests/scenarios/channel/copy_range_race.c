// expect: data race
// flags: -D_GNU_SOURCE
// names: payload
#include <unistd.h>

#include "scenario.h"

// What is copied from a file into another.
int payload;
int file, other;

NOINLINE static void publish(void) {
  off64_t from = 0, to = 0;
  if (copy_file_range(file, &from, other, &to, 1, 0) != 1) abort();
  payload = 42; // here
}
NOINLINE static void use(void) {
  char byte;
  while (pread(other, &byte, 1, 0) != 1) continue;
  CONSUME(payload); // here
}

int main(void) {
  char name[] = "/tmp/racert-scenario-XXXXXX";
  file = mkstemp(name);
  if (file < 0 || unlink(name) || write(file, "x", 1) != 1) abort();
  char second[] = "/tmp/racert-scenario-XXXXXX";
  other = mkstemp(second);
  if (other < 0 || unlink(second)) abort();
  run_two(publish, use);
}
