// expect: data race
// also: c++
// names: payload
// tsan: misses: it keeps the edge over a relaxed store of another thread
#include "scenario.h"

// A relaxed store by another thread ends the release sequence that the first
// store headed: what the reader sees is no longer part of it.
int flag, payload;

static void *publish(void *unused) {
  payload = 42; // here
  __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
  take_step();
  return unused;
}
static void *overwrite(void *unused) {
  wait_for_step(1);
  __atomic_store_n(&flag, 2, __ATOMIC_RELAXED);
  take_step();
  return unused;
}
static void *use(void *unused) {
  wait_for_step(2);
  if (__atomic_load_n(&flag, __ATOMIC_ACQUIRE) != 2) abort();
  CONSUME(payload); // here
  return unused;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], NULL, publish, NULL);
  pthread_create(&threads[1], NULL, overwrite, NULL);
  pthread_create(&threads[2], NULL, use, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
}
