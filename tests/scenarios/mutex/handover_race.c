// expect: data race
// also: c++
// names: payload
#include "scenario.h"

// The payload is written after the unlock that should have published it.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int ready, payload;

NOINLINE static void publish(void) {
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_mutex_unlock(&mutex);
  payload = 42; // here
}
NOINLINE static void use(void) {
  pthread_mutex_lock(&mutex);
  int seen = ready;
  pthread_mutex_unlock(&mutex);
  if (seen) CONSUME(payload); // here
}

int main(void) { run_two(publish, use); }
