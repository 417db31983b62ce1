// expect: none
// also: c++
#include <fcntl.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "scenario.h"

// A copy of a descriptor is the same channel.
int counter, copy;
int payload;

NOINLINE static void sender(void) {
  payload = 1;
  eventfd_t one = 1;
  if (write(counter, &one, sizeof one) != sizeof one) abort();
}
NOINLINE static void receiver(void) {
  eventfd_t value;
  if (read(copy, &value, sizeof value) != sizeof value) abort();
  CONSUME(payload);
}

int main(void) {
  counter = eventfd(0, 0);
  copy = fcntl(dup(counter), F_DUPFD, 100);
  run_two(sender, receiver);
}
