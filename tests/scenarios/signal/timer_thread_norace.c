// expect: none
// tsan: skip, a thread of libc's is unknown to it
#include <signal.h>
#include <time.h>

#include "scenario.h"

// A timer that calls a function on a thread of its own.
int payload;

static void expired(union sigval value) {
  (void)value;
  wait_for_step(1);
  CONSUME(payload);
  take_step();
}

int main(void) {
  timer_t timer;
  struct itimerspec soon = {{0, 0}, {0, 1}};
  struct sigevent event;
  memset(&event, 0, sizeof event);
  event.sigev_notify = SIGEV_THREAD;
  event.sigev_notify_function = expired;
  if (timer_create(CLOCK_MONOTONIC, &event, &timer)) return 1;
  payload = 1;
  take_step();
  timer_settime(timer, 0, &soon, NULL);
  wait_for_step(2);
}
