// expect: none
#include <stdatomic.h>

#include "scenario.h"

// With release and acquire it learns of both.
_Atomic(int *) shared;

NOINLINE static void make(void) {
  atomic_store_explicit(&shared, (int *)malloc(sizeof(int)), memory_order_release);
}
NOINLINE static void use(void) {
  *atomic_load_explicit(&shared, memory_order_acquire) = 42;
}

int main(void) { run_two(make, use); }
