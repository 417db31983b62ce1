// expect: none
// also: c++
#include <errno.h>

#include "scenario.h"

pthread_mutex_t mutex;
int shared;

NOINLINE static void first(void) {
  pthread_mutex_lock(&mutex);
  if (pthread_mutex_lock(&mutex) != EDEADLK) abort();
  shared = 1;
  pthread_mutex_unlock(&mutex);
}
NOINLINE static void second(void) {
  pthread_mutex_lock(&mutex);
  shared = 2;
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&mutex, &attributes);
  run_two(first, second);
}
