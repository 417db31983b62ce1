// expect: data race
// orders: signal-first wait-first
// names: payload
#include <threads.h>

#include "scenario.h"

// C11's names. The payload is written after the signal.
mtx_t mutex;
cnd_t condition;
int ready, payload;

NOINLINE static void write_late(void) {
  payload = 42; // here
}
NOINLINE static void publish(void) {
  mtx_lock(&mutex);
  ready = 1;
  cnd_signal(&condition);
  mtx_unlock(&mutex);
  write_late();
}
static int wait_and_use(void *unused) {
  (void)unused;
  if (ordered("signal-first")) wait_for_step(1);
  mtx_lock(&mutex);
  if (!ordered("signal-first")) take_step();
  while (!ready) cnd_wait(&condition, &mutex);
  mtx_unlock(&mutex);
  wait_for_step(ordered("signal-first") ? 1 : 2);
  USE(payload); // here
  take_step();
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
  wait_for_step(ordered("signal-first") ? 2 : 3);
  // Some detectors say nothing the first time.
  write_late();
  thrd_join(thread, NULL);
}
