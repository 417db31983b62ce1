// expect: data race
// orders: signal-first wait-first
// modes: hb hybrid msm-short msm-long
// with: passing.c waiting.c
// flags: -flto=thin -fuse-ld=lld-{llvm}
// names: payload
#include "condvar/handover.h"

// The function that waits is in a third file, and the second only hands on.
void pass_on_elsewhere(pthread_mutex_t *mutex, pthread_cond_t *condition);

NOINLINE static void write_late(void) {
  payload = 42; // here
}
NOINLINE static void publish(void) {
  signal_ready();
  write_late();
}
static void *wait_and_use(void *unused) {
  lock_to_wait();
  while (!ready) pass_on_elsewhere(&mutex, &condition);
  pthread_mutex_unlock(&mutex);
  after_signaller();
  USE(payload); // here
  take_step();
  return unused;
}

int main(void) { hand_over_late(publish, wait_and_use, write_late); }
