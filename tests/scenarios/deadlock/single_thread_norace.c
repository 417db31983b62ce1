// expect: none
// also: c++
// tsan: false alarm, one thread alone is enough for it
#include "scenario.h"

// One thread takes the locks in both orders: it cannot wait for itself.
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

NOINLINE static void first(void) {
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
}
NOINLINE static void second(void) {}

int main(void) { run_two(first, second); }
