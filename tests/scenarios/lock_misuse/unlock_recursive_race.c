// expect: unlock of an unlocked mutex
// also: c++
// names: mutex 'mutex', no thread holds
#include <errno.h>

#include "scenario.h"

// Once more than it was locked; libc refuses, few programs look.
pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

int main(void) {
  for (int i = 0; i < 3; i++) pthread_mutex_lock(&mutex);
  for (int i = 0; i < 3; i++) pthread_mutex_unlock(&mutex);
  if (pthread_mutex_unlock(&mutex) != EPERM) abort(); // here
}
