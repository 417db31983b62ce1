// expect: initialisation of a barrier with waiters
// also: c++
// names: barrier 'barrier', thread T1 waits
// tsan: misses, it has no such check
#include "scenario.h"

// Whoever waits there would wait for ever.
EXTERN_C const char *__tsan_default_options(void) { return "halt_on_error=1"; }

pthread_barrier_t barrier;

NOINLINE static void *waiter(void *argument) {
  pthread_barrier_wait(&barrier); // here
  return argument;
}

// Until the thread sleeps in the barrier.
INVISIBLE static void wait_until_asleep(void) {
  while (invisible_load((int *)&barrier) == 0) sched_yield();
}

int main(void) {
  pthread_t thread;
  pthread_barrier_init(&barrier, NULL, 2);
  pthread_create(&thread, NULL, waiter, NULL);
  wait_until_asleep();
  pthread_barrier_init(&barrier, NULL, 2); // here
}
