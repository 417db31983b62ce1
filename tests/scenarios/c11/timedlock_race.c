// expect: data race
// orders: first-second second-first
// names: value
#include <threads.h>
#include <time.h>

#include "scenario.h"

// A mutex that is waited for until a deadline, and can be taken twice.
static mtx_t mutex;
static int value;

NOINLINE static void first(void) {
  struct timespec deadline;
  timespec_get(&deadline, TIME_UTC);
  deadline.tv_sec += 100;
  if (mtx_timedlock(&mutex, &deadline) != thrd_success) abort();
  if (mtx_trylock(&mutex) != thrd_success) abort();
  value++; // here
  mtx_unlock(&mutex);
  mtx_unlock(&mutex);
}
NOINLINE static void second(void) {
  value++; // here
}

int main(void) {
  if (mtx_init(&mutex, mtx_timed | mtx_recursive) != thrd_success) abort();
  run_ordered(first, second);
}
