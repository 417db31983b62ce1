// expect: none
// also: c++
#include "scenario.h"

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int ready, payload;

NOINLINE static void publish(void) {
  payload = 42;
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_mutex_unlock(&mutex);
}
NOINLINE static void use(void) {
  pthread_mutex_lock(&mutex);
  int seen = ready;
  pthread_mutex_unlock(&mutex);
  if (seen) CONSUME(payload);
}

int main(void) { run_two(publish, use); }
