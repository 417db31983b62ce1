// expect: possible data race
// expect hb: none
// modes: hybrid hb
// also: c++
// tsan: misses, the mutex happens to order the two
#include "scenario.h"

// What was heard of came before the lock was taken: the critical section may
// come later.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int item, done;
long written;

NOINLINE static void send(void) {
  item = 1;
  __atomic_store_n(&done, 1, __ATOMIC_RELEASE);
  pthread_mutex_lock(&lock);
  written = item; // here
  pthread_mutex_unlock(&lock);
}
NOINLINE static void end(void) {
  if (!__atomic_load_n(&done, __ATOMIC_ACQUIRE)) abort();
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  USE(written); // here
}

int main(void) { run_two(send, end); }
