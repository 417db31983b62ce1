// expect: data race
// also: c++
// names: payload
#include <fcntl.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "scenario.h"

// The payload is written after the counter was raised.
int counter, copy;
int payload;

NOINLINE static void sender(void) {
  eventfd_t one = 1;
  if (write(counter, &one, sizeof one) != sizeof one) abort();
  payload = 1; // here
}
NOINLINE static void receiver(void) {
  eventfd_t value;
  if (read(copy, &value, sizeof value) != sizeof value) abort();
  CONSUME(payload); // here
}

int main(void) {
  counter = eventfd(0, 0);
  copy = fcntl(dup(counter), F_DUPFD, 100);
  run_two(sender, receiver);
}
