// expect: none
// also: c++
#include <sys/select.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "scenario.h"

// Who hears that it is ready comes after who made it so.
int counter;
int payload;

NOINLINE static void sender(void) {
  unsigned long long one = 1;
  payload = 1;
  if (write(counter, &one, sizeof one) != sizeof one) abort();
}
NOINLINE static void receiver(void) {
  fd_set set;
  FD_ZERO(&set);
  FD_SET(counter, &set);
  if (select(counter + 1, &set, NULL, NULL, NULL) != 1) abort();
  CONSUME(payload);
}

int main(void) {
  counter = eventfd(0, 0);
  run_two(sender, receiver);
}
