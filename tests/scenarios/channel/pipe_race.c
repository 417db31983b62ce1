// expect: data race
// also: c++
// names: payload
#include <unistd.h>

#include "scenario.h"

// The payload is written after the message was sent.
int ends[2];
int payload;

NOINLINE static void sender(void) {
  if (write(ends[1], "m", 1) != 1) abort();
  payload = 1; // here
}
NOINLINE static void receiver(void) {
  char message;
  if (read(ends[0], &message, 1) != 1) abort();
  CONSUME(payload); // here
}

int main(void) {
  if (pipe(ends)) return 1;
  run_two(sender, receiver);
}
