// expect: deadlock
// orders: first-second second-first
// also: c++
// names: mutex 'mutex', waits for the end of thread T1
// timeout: 10
// tsan: skip, it hangs
#include "scenario.h"

// The main thread holds the lock that the thread it joins waits for.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

NOINLINE static void *worker(void *argument) {
  wait_for_step(1);
  if (ordered("second-first")) wait_for_step(2);
  take_step();
  pthread_mutex_lock(&mutex); // here
  pthread_mutex_unlock(&mutex);
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  pthread_mutex_lock(&mutex); // here
  take_step();
  if (ordered("second-first"))
    take_step();
  else
    wait_for_step(2);
  pthread_join(thread, NULL); // here
  pthread_mutex_unlock(&mutex);
}
