// expect: none
// also: c++
// orders: read write
#include "scenario.h"

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

NOINLINE static void body(void) {
  if (ordered("write"))
    pthread_rwlock_wrlock(&lock);
  else
    pthread_rwlock_rdlock(&lock);
  pthread_rwlock_unlock(&lock);
}

int main(void) { run_two(body, body); }
