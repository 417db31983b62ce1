// expect: lock-order inversion (potential deadlock)
// orders: first-second second-first
// names: mutex 'a', mutex 'b'
// tsan: misses, it knows no C11 mutexes
#include <threads.h>

#include "scenario.h"

mtx_t a, b;

NOINLINE static void first(void) {
  mtx_lock(&a); // here
  mtx_lock(&b); // here
  mtx_unlock(&b);
  mtx_unlock(&a);
}
NOINLINE static void second(void) {
  mtx_lock(&b); // here
  mtx_lock(&a); // here
  mtx_unlock(&a);
  mtx_unlock(&b);
}

int main(void) {
  mtx_init(&a, mtx_plain);
  mtx_init(&b, mtx_plain);
  run_ordered(first, second);
}
