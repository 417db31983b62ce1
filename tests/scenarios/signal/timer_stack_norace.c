// expect: none
// tsan: skip, a thread of libc's is unknown to it
#include <semaphore.h>
#include <signal.h>
#include <time.h>

#include "scenario.h"

// A timer that calls a function again and again, each time on a thread of its
// own: they have their stacks from those that have ended.
static sem_t expirations;

NOINLINE static void add(int *sum) { *sum += 1; }

static void expired(union sigval value) {
  int sum = value.sival_int;
  for (int i = 0; i < 3; i++) add(&sum);
  if (sum != 10) abort();
  sem_post(&expirations);
}

int main(void) {
  timer_t timer;
  struct itimerspec often = {{0, 1000000}, {0, 1}};
  struct sigevent event;
  memset(&event, 0, sizeof event);
  event.sigev_notify = SIGEV_THREAD;
  event.sigev_notify_function = expired;
  event.sigev_value.sival_int = 7;
  sem_init(&expirations, 0, 0);
  if (timer_create(CLOCK_MONOTONIC, &event, &timer)) return 1;
  timer_settime(timer, 0, &often, NULL);
  for (int i = 0; i < 40; i++) sem_wait(&expirations);
  timer_delete(timer);
}
