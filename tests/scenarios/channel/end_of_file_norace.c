// expect: none
// also: c++
#include <unistd.h>

#include "scenario.h"

// Who reads the end of a file comes after who closed the other end.
int ends[2];
int payload;

NOINLINE static void sender(void) {
  payload = 1;
  close(ends[1]);
}
NOINLINE static void receiver(void) {
  char message[2];
  if (read(ends[0], message, 1) != 1 || read(ends[0], message, 1) != 0) abort();
  CONSUME(payload);
}

int main(void) {
  if (pipe(ends)) return 1;
  if (write(ends[1], "m", 1) != 1) return 1;
  run_two(sender, receiver);
}
