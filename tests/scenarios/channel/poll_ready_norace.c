// expect: none
// also: c++
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "scenario.h"

// Who hears that a descriptor can be read from comes after who wrote to it,
// and may close it.
int counter;
int payload;

NOINLINE static void sender(void) {
  payload = 1;
  unsigned long long one = 1;
  if (write(counter, &one, sizeof one) != sizeof one) abort();
}
NOINLINE static void receiver(void) {
  struct pollfd fd = {counter, POLLIN, 0};
  if (poll(&fd, 1, -1) != 1) abort();
  CONSUME(payload);
  close(counter);
}

int main(void) {
  counter = eventfd(0, 0);
  run_two(sender, receiver);
}
