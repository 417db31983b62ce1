// expect: none
// tsan: false alarm, it does not know the functions
// orders: first-second second-first
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
  value++;
  mtx_unlock(&mutex);
  mtx_unlock(&mutex);
}
NOINLINE static void second(void) {
  first();
}

int main(void) {
  if (mtx_init(&mutex, mtx_timed | mtx_recursive) != thrd_success) abort();
  run_ordered(first, second);
}
