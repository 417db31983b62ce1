// expect: none
// orders: signal-first wait-first
// modes: hb hybrid msm-short msm-long
// with: asking.c
// flags: -flto=thin -fuse-ld=lld-{llvm}
#include "condvar/handover.h"

// What waits and what decides is in another file.
int is_set_elsewhere(const int *flag);
int wait_until_elsewhere(pthread_mutex_t *mutex, pthread_cond_t *condition,
                         const struct timespec *end);

NOINLINE static void publish(void) {
  payload = 42;
  signal_ready();
}
static void *wait_and_use(void *unused) {
  lock_to_wait();
  struct timespec late = {0x7fffffff, 0};
  while (!is_set_elsewhere(&ready))
    if (wait_until_elsewhere(&mutex, &condition, &late)) break;
  pthread_mutex_unlock(&mutex);
  CONSUME(payload);
  return unused;
}

int main(void) { hand_over(publish, wait_and_use); }
