// expect: data race
// also: c++
// names: payload
#include <unistd.h>

#include "scenario.h"

// Streams at both ends of a pipe.
FILE *writer, *reader;
int payload;

NOINLINE static void sender(void) {
  fputs("message\n", writer);
  fflush(writer);
  payload = 1; // here
}
NOINLINE static void receiver(void) {
  char line[32];
  if (!fgets(line, sizeof line, reader)) abort();
  CONSUME(payload); // here
}

int main(void) {
  int ends[2];
  if (pipe(ends)) return 1;
  reader = fdopen(ends[0], "r");
  writer = fdopen(ends[1], "w");
  run_two(sender, receiver);
}
