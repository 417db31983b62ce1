// expect: data race
// flags: {pkg:glib-2.0}
// needs: glib.h
// names: count
// orders: first-second second-first
#include <glib.h>

#include "scenario.h"

GMutex one, two;
int count;

NOINLINE static void first(void) {
  g_mutex_lock(&one);
  count++; // here
  g_mutex_unlock(&one);
}
NOINLINE static void second(void) {
  g_mutex_lock(&two);
  count++; // here
  g_mutex_unlock(&two);
}

int main(void) { run_ordered(first, second); }
