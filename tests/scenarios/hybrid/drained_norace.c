// expect: none
// also: c++
#include "scenario.h"

// Who has heard, by an atomic variable, of something that was done under a lock
// and takes that lock once comes after the end of that critical section: so
// those who free an object wait for the last one who is still at work on it.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int item, done;
long written;

NOINLINE static void send(void) {
  pthread_mutex_lock(&lock);
  item = 1;
  __atomic_store_n(&done, 1, __ATOMIC_RELEASE);
  written = item;
  pthread_mutex_unlock(&lock);
}
NOINLINE static void end(void) {
  if (!__atomic_load_n(&done, __ATOMIC_ACQUIRE)) abort();
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  USE(written);
}

int main(void) { run_two(send, end); }
