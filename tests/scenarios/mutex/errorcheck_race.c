// expect: data race
// also: c++
// names: shared
#include <errno.h>

#include "scenario.h"

// A lock that fails because the thread holds it already, then released once:
// the second access is outside.
pthread_mutex_t mutex;
int shared;

NOINLINE static void first(void) {
  pthread_mutex_lock(&mutex);
  if (pthread_mutex_lock(&mutex) != EDEADLK) abort();
  pthread_mutex_unlock(&mutex);
  shared = 1; // here
}
NOINLINE static void second(void) {
  pthread_mutex_lock(&mutex);
  shared = 2; // here
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&mutex, &attributes);
  run_two(first, second);
}
