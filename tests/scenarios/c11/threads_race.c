// expect: data race
// names: shared
// tsan: skip: it does not know C11 threads
#include <threads.h>

#include "scenario.h"

mtx_t mutex;
int shared;

static int locked(void *unused) {
  (void)unused;
  mtx_lock(&mutex);
  shared = 1; // here
  mtx_unlock(&mutex);
  take_step();
  return 0;
}
static int unlocked(void *unused) {
  (void)unused;
  wait_for_step(1);
  shared = 2; // here
  return 0;
}

int main(void) {
  thrd_t threads[2];
  mtx_init(&mutex, mtx_plain);
  thrd_create(&threads[0], locked, NULL);
  thrd_create(&threads[1], unlocked, NULL);
  for (int i = 0; i < 2; ++i) thrd_join(threads[i], NULL);
}
