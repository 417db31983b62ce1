// expect: none
// orders: first-second second-first
// library: linked counter.c
// tsan: skip, it leaves out the calls of a library, not what the library does itself
// Findings with an access made by the library are held back.
#include "scenario.h"

extern int library_counter;
void library_count(void);

const char *__tsan_default_options(void);
const char *__tsan_default_suppressions(void);
const char *__tsan_default_options(void) { return "print_suppressions=0"; }
const char *__tsan_default_suppressions(void) { return "called_from_lib:counter"; }

NOINLINE static void in_library(void) { library_count(); }
NOINLINE static void in_program(void) { library_counter = 7; }

int main(void) { run_ordered(in_library, in_program); }
