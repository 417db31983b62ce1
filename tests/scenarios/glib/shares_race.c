// expect: data race
// flags: {pkg:gobject-2.0}
// needs: glib.h
// names: value
#include <glib-object.h>

#include "scenario.h"

// Changed after the share was given back: another has the last one.
int value;
GBytes *bytes;

static void end(gpointer data) {
  CONSUME(*(int *)data); // here
}

NOINLINE static void too_late(void) {
  g_bytes_unref(bytes);
  value = 1; // here
}
NOINLINE static void last(void) { g_bytes_unref(bytes); }

int main(void) {
  bytes = g_bytes_new_with_free_func(&value, sizeof value, end, &value);
  g_bytes_ref(bytes);
  run_two(too_late, last);
}
