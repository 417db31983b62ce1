// expect: data race
// also: c++
// A lock that the code of another one uses inside orders nobody after that:
// otherwise all who take locks of that kind would be ordered.
#include "scenario.h"
#include "tsan_interface.h"

char inner, outers[2];
int shared;

NOINLINE static void lock(char *which) {
  __tsan_mutex_pre_lock(which, 0);
  __tsan_mutex_post_lock(which, 0, 0);
}
NOINLINE static void unlock(char *which) {
  __tsan_mutex_pre_unlock(which, 0);
  __tsan_mutex_post_unlock(which, 0);
}
NOINLINE static void use(char *outer) {
  __tsan_mutex_pre_lock(outer, 0);
  lock(&inner);
  unlock(&inner);
  __tsan_mutex_post_lock(outer, 0, 0);
  ++shared;  // here
  unlock(outer);
}
NOINLINE static void first(void) { use(&outers[0]); }
NOINLINE static void second(void) { use(&outers[1]); }

int main(void) { run_two(first, second); }
