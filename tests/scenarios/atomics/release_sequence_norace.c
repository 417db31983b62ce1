// expect: none
// also: c++
#include "scenario.h"

// A relaxed read-modify-write by another thread continues the release sequence.
int flag, payload;

static void *publish(void *unused) {
  payload = 42;
  __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
  take_step();
  return unused;
}
static void *increment(void *unused) {
  wait_for_step(1);
  __atomic_fetch_add(&flag, 1, __ATOMIC_RELAXED);
  take_step();
  return unused;
}
static void *use(void *unused) {
  wait_for_step(2);
  if (__atomic_load_n(&flag, __ATOMIC_ACQUIRE) != 2) abort();
  CONSUME(payload);
  return unused;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], NULL, publish, NULL);
  pthread_create(&threads[1], NULL, increment, NULL);
  pthread_create(&threads[2], NULL, use, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
}
