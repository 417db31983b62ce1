// expect: none
// also: c++
#include <sys/timerfd.h>
#include <unistd.h>

#include "scenario.h"

// A timer that was set is read.
int timer;
int payload;

NOINLINE static void sender(void) {
  payload = 1;
  struct itimerspec soon = {{0, 0}, {0, 1}};
  if (timerfd_settime(timer, 0, &soon, NULL)) abort();
}
NOINLINE static void receiver(void) {
  unsigned long long times;
  if (read(timer, &times, sizeof times) != sizeof times) abort();
  CONSUME(payload);
}

int main(void) {
  timer = timerfd_create(CLOCK_MONOTONIC, 0);
  run_two(sender, receiver);
}
