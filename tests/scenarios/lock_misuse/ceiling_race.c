// expect: destroy of a locked mutex
// also: c++
// names: lock
// A mutex with a ceiling of priorities is held when it is destroyed.
#include "scenario.h"

static pthread_mutex_t lock;

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_PROTECT);
  pthread_mutex_init(&lock, &attributes);
  // As who may raise its priority would have it.
  if (pthread_mutex_lock(&lock)) lock.__data.__lock |= 1;
  pthread_mutex_destroy(&lock); // here
}
