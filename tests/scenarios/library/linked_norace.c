// expect: none
// orders: first-second second-first
// library: linked counter.c
#include "scenario.h"

void library_count(void);
int library_guarded(void);

NOINLINE static void count(void) { library_count(); }
NOINLINE static void look(void) { CONSUME(library_guarded()); }

int main(void) { run_ordered(count, look); }
