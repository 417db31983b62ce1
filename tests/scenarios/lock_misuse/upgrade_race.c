// expect: read lock of a read-write lock upgraded to a write lock
// also: c++
// names: read-write lock 'lock', for reading
// timeout: 300
// tsan: skip, it hangs
#include "scenario.h"

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

int main(void) {
  pthread_rwlock_rdlock(&lock); // here
  pthread_rwlock_wrlock(&lock); // here
}
