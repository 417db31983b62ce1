// expect: none
// also: c++
#include <errno.h>

#include "scenario.h"

pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

// It tells the program itself.
static void checked(void) {
  pthread_mutex_t mutex = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
  if (pthread_mutex_unlock(&mutex) != EPERM) abort();
  pthread_mutex_lock(&mutex);
  if (pthread_mutex_lock(&mutex) != EDEADLK) abort();
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  checked();
  pthread_mutex_lock(&mutex);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  pthread_mutex_unlock(&mutex);
}
