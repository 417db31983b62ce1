// expect: wait on a condition variable with two mutexes
// also: c++
// names: mutex 'a', mutex 'b', condition variable 'condition'
// reports: any
#include "scenario.h"

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

NOINLINE static void *waiter(void *argument) {
  pthread_mutex_lock(&a);
  take_step();
  pthread_cond_wait(&condition, &a); // here
  pthread_mutex_unlock(&a);
  return argument;
}

int main(void) {
  struct timespec past = {0, 0};
  pthread_t thread;
  pthread_create(&thread, NULL, waiter, NULL);
  wait_for_step(1);
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
  pthread_mutex_lock(&b);
  pthread_cond_timedwait(&condition, &b, &past); // here
  pthread_mutex_unlock(&b);
  pthread_cond_broadcast(&condition);
  pthread_join(thread, NULL);
}
