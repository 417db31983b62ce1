// expect: none
// also: c++
#include <sys/eventfd.h>
#include <unistd.h>

#include "scenario.h"

int counters[2];
int payload;

NOINLINE static void sender(void) {
  payload = 1;
  eventfd_t one = 1;
  if (write(counters[0], &one, sizeof one) != sizeof one) abort();
}
NOINLINE static void receiver(void) {
  eventfd_t value;
  if (read(counters[0], &value, sizeof value) != sizeof value) abort();
  CONSUME(payload);
}

int main(void) {
  counters[0] = eventfd(0, 0);
  counters[1] = eventfd(1, 0);
  run_two(sender, receiver);
}
