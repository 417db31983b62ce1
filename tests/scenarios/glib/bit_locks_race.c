// expect: data race
// orders: first-second
// flags: {pkg:glib-2.0}
// needs: glib.h
// names: one
// reports: any
#include <glib.h>

#include "scenario.h"

// Locks that are one bit of a word.
static gint word;
static gpointer pointer;
static int one, two;

NOINLINE static void first(void) {
  g_bit_lock(&word, 3);
  one++; // here
  g_bit_unlock(&word, 3);
  g_pointer_bit_lock(&pointer, 0);
  two++;
  g_pointer_bit_unlock(&pointer, 0);
}
NOINLINE static void second(void) {
  one++; // here
  while (!g_pointer_bit_trylock(&pointer, 0)) continue;
  two++;
  g_pointer_bit_unlock(&pointer, 0);
  while (!g_bit_trylock(&word, 3)) continue;
  one++;
  g_bit_unlock(&word, 3);
}

int main(void) {
  run_ordered(first, second);
}
