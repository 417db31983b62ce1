// expect: data race
// also: c++
// names: payload
#include "scenario.h"

// The thread in the middle continues the sequence but acquired nothing itself.
int flag, payload;

static void *publish(void *unused) {
  payload = 42; // here
  __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
  take_step();
  return unused;
}
static void *increment_and_use(void *unused) {
  wait_for_step(1);
  if (__atomic_fetch_add(&flag, 1, __ATOMIC_RELEASE) != 1) abort();
  CONSUME(payload); // here
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, publish, NULL);
  pthread_create(&threads[1], NULL, increment_and_use, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
}
