// expect: none
// However often the thread that has ended had taken the mutex, the next owner gets it.
#include <errno.h>

#include "scenario.h"

static pthread_mutex_t mutex;
static int value;

NOINLINE static void first(void) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_lock(&mutex);
  value = 1;
}
NOINLINE static void second(void) {
  if (pthread_mutex_lock(&mutex) == EOWNERDEAD) pthread_mutex_consistent(&mutex);
  value += 1;
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&mutex, &attributes);
  run_two(first, second);
}
