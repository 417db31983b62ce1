// expect: data race
// flags: {pkg:glib-2.0}
// needs: glib.h
#include <glib.h>

#include "scenario.h"

// Two threads change one slice.
int *slice;

NOINLINE static void first(void) { slice[0]++; } // here
NOINLINE static void second(void) { slice[0]++; } // here

int main(void) {
  slice = (int *)g_slice_alloc0(12 * sizeof(int));
  run_two(first, second);
}
