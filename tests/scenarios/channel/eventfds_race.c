// expect: data race
// also: c++
// names: payload
#include <sys/eventfd.h>
#include <unistd.h>

#include "scenario.h"

// Another counter orders nothing.
int counters[2];
int payload;

NOINLINE static void sender(void) {
  eventfd_t one = 1;
  payload = 1; // here
  if (write(counters[0], &one, sizeof one) != sizeof one) abort();
}
NOINLINE static void receiver(void) {
  eventfd_t value;
  if (read(counters[1], &value, sizeof value) != sizeof value) abort();
  CONSUME(payload); // here
}

int main(void) {
  counters[0] = eventfd(0, 0);
  counters[1] = eventfd(1, 0);
  run_two(sender, receiver);
}
