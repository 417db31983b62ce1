// expect: unlock of an unlocked read-write lock
// also: c++
// names: read-write lock 'lock'
#include "scenario.h"

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

int main(void) {
  pthread_rwlock_unlock(&lock); // here
}
