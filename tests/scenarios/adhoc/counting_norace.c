// expect: none
// modes: hybrid
// also: c++
#include "scenario.h"

// A loop that counts up to a shared number, ordered by a mutex.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int limit, table[16], payload;

NOINLINE static void publish(void) {
  pthread_mutex_lock(&mutex);
  payload = 42;
  __atomic_store_n(&limit, 16, __ATOMIC_RELAXED);
  pthread_mutex_unlock(&mutex);
}
NOINLINE static void count(void) {
  int sum = 0;
  pthread_mutex_lock(&mutex);
  for (int i = 0; i < __atomic_load_n(&limit, __ATOMIC_RELAXED); ++i) sum += table[i];
  pthread_mutex_unlock(&mutex);
  CONSUME(sum);
  CONSUME(payload);
}

int main(void) { run_two(publish, count); }
