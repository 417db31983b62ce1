// expect: data race
// orders: first-second second-first
// also: c++
// names: shared
// An attempt that failed orders nothing.
#include "scenario.h"
#include "tsan_interface.h"

int lock, shared;

NOINLINE static void locked(void) {
  __tsan_mutex_pre_lock(&lock, 0);
  __tsan_mutex_post_lock(&lock, 0, 0);
  shared = 1; // here
  __tsan_mutex_pre_unlock(&lock, 0);
  __tsan_mutex_post_unlock(&lock, 0);
}
NOINLINE static void failed(void) {
  __tsan_mutex_pre_lock(&lock, MUTEX_TRY_LOCK);
  __tsan_mutex_post_lock(&lock, MUTEX_TRY_LOCK | MUTEX_TRY_LOCK_FAILED, 0);
  shared = 2; // here
}

int main(void) {
  __tsan_mutex_create(&lock, 0);
  run_ordered(locked, failed);
  __tsan_mutex_destroy(&lock, 0);
}
