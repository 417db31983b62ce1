// expect: data race
// orders: first-second second-first
// also: c++
// names: shared
#include "scenario.h"

// The inner unlock releases nothing, the outer one does; the access comes after it.
pthread_mutex_t mutex;
int shared;

NOINLINE static void nested(void) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  pthread_mutex_unlock(&mutex);
  shared = 1; // here
}
NOINLINE static void simple(void) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  shared = 2; // here
}

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&mutex, &attributes);
  run_ordered(nested, simple);
}
