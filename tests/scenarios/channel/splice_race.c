// expect: data race
// also: c++
// names: payload
#include <fcntl.h>
#include <unistd.h>

#include "scenario.h"

// The payload is written after the message was sent.
int source[2], sink[2];
int payload;

NOINLINE static void sender(void) {
  if (write(source[1], "m", 1) != 1) abort();
  payload = 1; // here
}
NOINLINE static void receiver(void) {
  char message;
  if (splice(source[0], NULL, sink[1], NULL, 1, 0) != 1) abort();
  if (read(sink[0], &message, 1) != 1) abort();
  CONSUME(payload); // here
}

int main(void) {
  if (pipe(source) || pipe(sink)) return 1;
  run_two(sender, receiver);
}
