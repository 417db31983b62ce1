// expect: none
// also: c++
#include "scenario.h"

// Two threads release into one sequence; the reader gets both.
int flag, payloads[2];

static void *publish(void *unused) {
  payloads[0] = 42;
  __atomic_fetch_add(&flag, 1, __ATOMIC_RELEASE);
  take_step();
  return unused;
}
static void *publish_more(void *unused) {
  wait_for_step(1);
  payloads[1] = 43;
  __atomic_fetch_add(&flag, 1, __ATOMIC_RELEASE);
  take_step();
  return unused;
}
static void *use(void *unused) {
  wait_for_step(2);
  if (__atomic_load_n(&flag, __ATOMIC_ACQUIRE) != 2) abort();
  CONSUME(payloads[0] + payloads[1]);
  return unused;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], NULL, publish, NULL);
  pthread_create(&threads[1], NULL, publish_more, NULL);
  pthread_create(&threads[2], NULL, use, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
}
