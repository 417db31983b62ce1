// expect: data race
// also: c++
// names: payload
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <poll.h>
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
  struct pollfd fd = {counter, POLLIN, 0};
  if (ppoll(&fd, 1, NULL, NULL) != 1) abort();
  CONSUME(payload); // here
}

int main(void) {
  counter = eventfd(0, 0);
  run_two(sender, receiver);
}
