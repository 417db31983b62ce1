// expect: none
// also: c++
#include <errno.h>

#include "scenario.h"

// A robust mutex tells its next owner.
pthread_mutex_t mutex;

NOINLINE static void first(void) { pthread_mutex_lock(&mutex); }
NOINLINE static void second(void) {}

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&mutex, &attributes);
  run_two(first, second);
  if (pthread_mutex_lock(&mutex) == EOWNERDEAD) pthread_mutex_consistent(&mutex);
  pthread_mutex_unlock(&mutex);
}
