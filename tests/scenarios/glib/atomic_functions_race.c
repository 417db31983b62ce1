// expect: data race
// flags: {pkg:glib-2.0}
// needs: glib.h
// names: flag
#include <glib.h>

#include "scenario.h"

gint flag;

NOINLINE static void atomic(void) { (g_atomic_int_inc)(&flag); } // here
NOINLINE static void plain(void) { flag = 1; } // here

int main(void) { run_two(atomic, plain); }
