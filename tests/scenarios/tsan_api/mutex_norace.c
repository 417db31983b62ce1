// expect: none
// orders: write-read read-write write-write
// also: c++
// What the lock does inside is its own affair.
#include "scenario.h"
#include "tsan_interface.h"

struct lock {
  int owner, guarded;
} lock;
int shared;

NOINLINE static void lock_it(unsigned flags) {
  __tsan_mutex_pre_lock(&lock, flags);
  ++lock.owner;
  __tsan_mutex_post_lock(&lock, flags, 0);
}
NOINLINE static void unlock_it(unsigned flags) {
  __tsan_mutex_pre_unlock(&lock, flags);
  --lock.owner;
  __tsan_mutex_post_unlock(&lock, flags);
}
NOINLINE static void write_it(void) {
  lock_it(0);
  shared = 1;
  unlock_it(0);
}
NOINLINE static void read_it(void) {
  lock_it(MUTEX_READ_LOCK);
  CONSUME(shared);
  unlock_it(MUTEX_READ_LOCK);
}

int main(void) {
  __tsan_mutex_create(&lock, 0);
  run_accesses(run_two, write_it, read_it);
  __tsan_mutex_destroy(&lock, 0);
}
