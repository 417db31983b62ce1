// expect: none
// orders: first-second second-first
// also: c++
#include "scenario.h"

// Two readers of one variable and a writer of another.
long limit = 5, counters[2];

NOINLINE static void add_one(void) { counters[0] += limit; }
NOINLINE static void add_two(void) { counters[1] += limit; }

int main(void) { run_ordered(add_one, add_two); }
