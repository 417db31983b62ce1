// expect: none
// also: c++
// A lock whose code uses another one inside, as many do for what they keep of
// their threads. What somebody has left there is taken away by whoever comes
// next, and used outside.
#include "scenario.h"
#include "tsan_interface.h"

char inner, outer;
int *left, *taken;

NOINLINE static void lock(char *which) {
  __tsan_mutex_pre_lock(which, 0);
  __tsan_mutex_post_lock(which, 0, 0);
}
NOINLINE static void unlock(char *which) {
  __tsan_mutex_pre_unlock(which, 0);
  __tsan_mutex_post_unlock(which, 0);
}
NOINLINE static void first(void) {
  int *mine = (int *)malloc(sizeof *mine);
  *mine = 1;
  lock(&inner);
  left = mine;
  unlock(&inner);
}
NOINLINE static void second(void) {
  __tsan_mutex_pre_lock(&outer, 0);
  lock(&inner);
  taken = left;
  unlock(&inner);
  __tsan_mutex_post_lock(&outer, 0, 0);
  CONSUME(*taken);
  unlock(&outer);
}

int main(void) { run_two(first, second); }
