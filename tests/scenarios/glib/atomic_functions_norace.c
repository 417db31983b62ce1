// expect: none
// flags: {pkg:glib-2.0}
// needs: glib.h
// tsan: false alarm, GLib is not instrumented
#include <glib.h>

#include "scenario.h"

// The functions behind GLib's macros, as other languages call them.
int data, more;
gint flag, count = 2;
gpointer pointer;

NOINLINE static void writer(void) {
  data = 1;
  (g_atomic_int_set)(&flag, 1);
  more = 1;
  (g_atomic_pointer_set)(&pointer, &more);
}
NOINLINE static void reader(void) {
  if ((g_atomic_int_get)(&flag)) CONSUME(data);
  int *passed = (int *)(g_atomic_pointer_get)(&pointer);
  if (passed) CONSUME(*passed);
  // Whoever is the last.
  if ((g_atomic_int_dec_and_test)(&count)) abort();
}

int main(void) {
  run_two(writer, reader);
  if ((g_atomic_int_add)(&count, 5) != 1 || count != 6) abort();
  if (!(g_atomic_int_compare_and_exchange)(&count, 6, 7)) abort();
  if ((g_atomic_int_compare_and_exchange)(&count, 6, 8) || count != 7) abort();
  if ((g_atomic_int_or)((guint *)&count, 8) != 7 || count != 15) abort();
}
