// expect: deadlock
// orders: first-second second-first
// also: c++
// names: mutex 'mutex', waits for the end of thread T1
// timeout: 300
// tsan: skip, it hangs
#include "scenario.h"

// The main thread holds the lock that the thread it joins waits for.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

NOINLINE static void *worker(void *argument) {
  wait_for_step(1);
  pthread_mutex_lock(&mutex); // here
  pthread_mutex_unlock(&mutex);
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  pthread_mutex_lock(&mutex); // here
  take_step();
  if (ordered("first-second")) wait_for_sleeper(&mutex);
  pthread_join(thread, NULL); // here
  pthread_mutex_unlock(&mutex);
}
