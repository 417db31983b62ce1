// expect: data race
// flags: {pkg:glib-2.0}
// needs: glib.h
// names: count
// orders: first-second second-first
#include <glib.h>

#include "scenario.h"

// Readers do not keep each other out.
GRWLock lock;
int count;

NOINLINE static void first(void) {
  g_rw_lock_reader_lock(&lock);
  count++; // here
  g_rw_lock_reader_unlock(&lock);
}
NOINLINE static void second(void) {
  g_rw_lock_reader_lock(&lock);
  CONSUME(count); // here
  g_rw_lock_reader_unlock(&lock);
}

int main(void) {
  g_rw_lock_init(&lock);
  run_ordered(first, second);
  g_rw_lock_clear(&lock);
}
