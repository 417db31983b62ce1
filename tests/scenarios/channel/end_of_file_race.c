// expect: data race
// also: c++
// names: payload
#include <unistd.h>

#include "scenario.h"

// The payload is written after the other end was closed.
int ends[2];
int payload;

NOINLINE static void sender(void) {
  close(ends[1]);
  payload = 1; // here
}
NOINLINE static void receiver(void) {
  char message[2];
  if (read(ends[0], message, 1) != 1 || read(ends[0], message, 1) != 0) abort();
  CONSUME(payload); // here
}

int main(void) {
  if (pipe(ends)) return 1;
  if (write(ends[1], "m", 1) != 1) return 1;
  run_two(sender, receiver);
}
