// expect: data race
// flags: -D_GNU_SOURCE
// names: payload
#include <sys/sendfile.h>
#include <unistd.h>

#include "scenario.h"

// What is copied from a file into a pipe.
int payload;
int file, ends[2];

NOINLINE static void publish(void) {
  off_t from = 0;
  if (sendfile(ends[1], file, &from, 1) != 1) abort();
  payload = 42; // here
}
NOINLINE static void use(void) {
  char byte;
  if (read(ends[0], &byte, 1) != 1) abort();
  CONSUME(payload); // here
}

int main(void) {
  char name[] = "/tmp/racert-scenario-XXXXXX";
  file = mkstemp(name);
  if (file < 0 || unlink(name) || write(file, "x", 1) != 1) abort();
  if (pipe(ends)) abort();
  run_two(publish, use);
}
