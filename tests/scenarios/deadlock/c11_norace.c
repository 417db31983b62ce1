// expect: none
// orders: first-second second-first
#include <threads.h>

#include "scenario.h"

mtx_t a, b;

NOINLINE static void first(void) {
  mtx_lock(&a);
  mtx_lock(&b);
  mtx_unlock(&b);
  mtx_unlock(&a);
}
NOINLINE static void second(void) {
  mtx_lock(&b);
  if (mtx_trylock(&a) == thrd_success) mtx_unlock(&a);
  mtx_unlock(&b);
}

int main(void) {
  mtx_init(&a, mtx_plain);
  mtx_init(&b, mtx_plain);
  run_ordered(first, second);
}
