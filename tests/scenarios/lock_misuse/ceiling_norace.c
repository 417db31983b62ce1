// expect: none
// also: c++
// A mutex with a ceiling of priorities has that in its word, held or not.
#include "scenario.h"

int main(void) {
  pthread_mutex_t lock;
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_PROTECT);
  pthread_mutex_init(&lock, &attributes);
  // Who may not raise its priority does not get it.
  if (pthread_mutex_lock(&lock) == 0) pthread_mutex_unlock(&lock);
  if (pthread_mutex_destroy(&lock)) return 1;
  pthread_mutex_t *other = (pthread_mutex_t *)malloc(sizeof *other);
  pthread_mutex_init(other, &attributes);
  free(other);
}
