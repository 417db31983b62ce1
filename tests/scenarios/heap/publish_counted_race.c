// expect: data race
// names: allocation of heap block
#include <stdatomic.h>

#include "scenario.h"

// What is done atomically first does not make the allocation known.
struct counted {
  _Atomic int users;
  int value;
};

_Atomic(struct counted *) shared;

NOINLINE static void make(void) {
  struct counted *fresh = (struct counted *)malloc(sizeof *fresh); // here
  atomic_store_explicit(&shared, fresh, memory_order_relaxed);
}
NOINLINE static void use(void) {
  struct counted *found = atomic_load_explicit(&shared, memory_order_relaxed);
  atomic_store_explicit(&found->users, 1, memory_order_relaxed);
  found->value = 42; // here
}

int main(void) { run_two(make, use); }
