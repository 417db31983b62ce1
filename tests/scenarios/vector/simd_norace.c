// expect: none
// orders: first-second second-first
// also: c++
#include "scenario.h"

typedef int four __attribute__((vector_size(16)));
four shared[2];

NOINLINE static void write_first(void) { shared[0] = (four){1, 2, 3, 4}; }
NOINLINE static void write_second(void) { shared[1] = (four){1, 2, 3, 4}; }

int main(void) { run_ordered(write_first, write_second); }
