// expect: none
// also: c++
#include <unistd.h>

#include "scenario.h"

int ends[2];
int payload;

NOINLINE static void sender(void) {
  payload = 1;
  if (write(ends[1], "m", 1) != 1) abort();
}
NOINLINE static void receiver(void) {
  char message;
  if (read(ends[0], &message, 1) != 1) abort();
  CONSUME(payload);
}

int main(void) {
  if (pipe(ends)) return 1;
  run_two(sender, receiver);
}
