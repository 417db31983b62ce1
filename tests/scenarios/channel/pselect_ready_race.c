// expect: data race
// also: c++
// names: payload
#include <sys/select.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "scenario.h"

// Written after the descriptor has become ready.
int counter;
int payload;

NOINLINE static void sender(void) {
  unsigned long long one = 1;
  if (write(counter, &one, sizeof one) != sizeof one) abort();
  payload = 1; // here
}
NOINLINE static void receiver(void) {
  fd_set set;
  FD_ZERO(&set);
  FD_SET(counter, &set);
  if (pselect(counter + 1, &set, NULL, NULL, NULL, NULL) != 1) abort();
  CONSUME(payload); // here
}

int main(void) {
  counter = eventfd(0, 0);
  run_two(sender, receiver);
}
