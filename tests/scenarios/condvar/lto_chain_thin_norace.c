// expect: none
// orders: signal-first wait-first
// modes: hb hybrid msm-short msm-long
// with: passing.c waiting.c
// flags: -flto=thin -fuse-ld=lld-{llvm}
#include "condvar/handover.h"

// The function that waits is in a third file, and the second only hands on.
void pass_on_elsewhere(pthread_mutex_t *mutex, pthread_cond_t *condition);

NOINLINE static void publish(void) {
  payload = 42;
  signal_ready();
}
static void *wait_and_use(void *unused) {
  lock_to_wait();
  while (!ready) pass_on_elsewhere(&mutex, &condition);
  pthread_mutex_unlock(&mutex);
  CONSUME(payload);
  return unused;
}

int main(void) { hand_over(publish, wait_and_use); }
