// expect: none
// orders: signal-first wait-first
#include <threads.h>

#include "scenario.h"

// C11's names.
mtx_t mutex;
cnd_t condition;
int ready, payload;

NOINLINE static void publish(void) {
  payload = 42;
  mtx_lock(&mutex);
  ready = 1;
  cnd_signal(&condition);
  mtx_unlock(&mutex);
}
static int wait_and_use(void *unused) {
  (void)unused;
  if (ordered("signal-first")) wait_for_step(1);
  mtx_lock(&mutex);
  if (!ordered("signal-first")) take_step();
  while (!ready) cnd_wait(&condition, &mutex);
  mtx_unlock(&mutex);
  CONSUME(payload);
  return 0;
}

int main(void) {
  thrd_t thread;
  mtx_init(&mutex, mtx_plain);
  cnd_init(&condition);
  thrd_create(&thread, wait_and_use, NULL);
  if (!ordered("signal-first")) wait_for_step(1);
  publish();
  take_step();
  thrd_join(thread, NULL);
}
