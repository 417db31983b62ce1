// expect: none
#include <stdatomic.h>

#include "scenario.h"

// Ordered after the allocation, what is done atomically first is as good as any.
struct counted {
  _Atomic int users;
  int value;
};

_Atomic(struct counted *) shared;

NOINLINE static void make(void) {
  struct counted *fresh = (struct counted *)malloc(sizeof *fresh);
  atomic_store_explicit(&shared, fresh, memory_order_release);
}
NOINLINE static void use(void) {
  struct counted *found = atomic_load_explicit(&shared, memory_order_acquire);
  atomic_store_explicit(&found->users, 1, memory_order_relaxed);
  found->value = 42;
}

int main(void) { run_two(make, use); }
