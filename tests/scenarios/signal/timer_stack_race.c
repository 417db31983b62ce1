// expect: data race
// names: sum
// tsan: skip, a thread of libc's is unknown to it
#include <semaphore.h>
#include <signal.h>
#include <time.h>

#include "scenario.h"

// A timer that calls a function again and again, each time on a thread of its
// own: nothing orders the calls.
static sem_t expirations;
static int sum;

NOINLINE static void add(int *sum) { *sum += 1; } // here

static void expired(union sigval value) {
  add(&sum);
  sem_post(&expirations);
}

int main(void) {
  timer_t timer;
  struct itimerspec often = {{0, 1000000}, {0, 1}};
  struct sigevent event;
  memset(&event, 0, sizeof event);
  event.sigev_notify = SIGEV_THREAD;
  event.sigev_notify_function = expired;
  sem_init(&expirations, 0, 0);
  if (timer_create(CLOCK_MONOTONIC, &event, &timer)) return 1;
  timer_settime(timer, 0, &often, NULL);
  for (int i = 0; i < 5; i++) sem_wait(&expirations);
  timer_delete(timer);
}
