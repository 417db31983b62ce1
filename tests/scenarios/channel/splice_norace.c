// expect: none
// also: c++
#include <fcntl.h>
#include <unistd.h>

#include "scenario.h"

int source[2], sink[2];
int payload;

NOINLINE static void sender(void) {
  payload = 1;
  if (write(source[1], "m", 1) != 1) abort();
}
NOINLINE static void receiver(void) {
  char message;
  if (splice(source[0], NULL, sink[1], NULL, 1, 0) != 1) abort();
  if (read(sink[0], &message, 1) != 1) abort();
  CONSUME(payload);
}

int main(void) {
  if (pipe(source) || pipe(sink)) return 1;
  run_two(sender, receiver);
}
