// expect: data race
// names: allocation of heap block
#include <stdatomic.h>

#include "scenario.h"

// The other thread learns of the block, not of its allocation.
_Atomic(int *) shared;

NOINLINE static void make(void) {
  atomic_store_explicit(&shared, (int *)malloc(sizeof(int)), memory_order_relaxed); // here
}
NOINLINE static void use(void) {
  *atomic_load_explicit(&shared, memory_order_relaxed) = 42; // here
}

int main(void) { run_two(make, use); }
