// expect: destroy of a condition variable with waiters
// also: c++
// names: condition variable 'condition', thread T1 waits
// tsan: skip, it hangs
#include "scenario.h"

// libc would wait for the waiter to leave.
EXTERN_C const char *__tsan_default_options(void) { return "halt_on_error=1"; }

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

NOINLINE static void *waiter(void *argument) {
  pthread_mutex_lock(&mutex);
  take_step();
  pthread_cond_wait(&condition, &mutex); // here
  pthread_mutex_unlock(&mutex);
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, waiter, NULL);
  wait_for_step(1);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  pthread_cond_destroy(&condition); // here
}
