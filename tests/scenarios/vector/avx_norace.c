// expect: none
// orders: first-second second-first
// flags: -mavx2
#include "scenario.h"

typedef long four __attribute__((vector_size(32)));
four shared[2];

NOINLINE static void write_first(void) { shared[0] = (four){1, 2, 3, 4}; }
NOINLINE static void write_second(void) { shared[1] = (four){1, 2, 3, 4}; }

int main(void) { run_ordered(write_first, write_second); }
