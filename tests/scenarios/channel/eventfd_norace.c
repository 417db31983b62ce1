// expect: none
// also: c++
#include <sys/eventfd.h>
#include <unistd.h>

#include "scenario.h"

int counter;
int payload;

NOINLINE static void sender(void) {
  payload = 1;
  eventfd_t one = 1;
  if (write(counter, &one, sizeof one) != sizeof one) abort();
}
NOINLINE static void receiver(void) {
  eventfd_t value;
  if (eventfd_read(counter, &value)) abort();
  CONSUME(payload);
}

int main(void) {
  counter = eventfd(0, 0);
  run_two(sender, receiver);
}
