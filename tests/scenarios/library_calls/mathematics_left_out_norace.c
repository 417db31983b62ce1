// expect: none
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin -D_GNU_SOURCE
// tsan: skip, it needs the library
#include <math.h>

#include "scenario.h"

// Linkers leave a library out of which nothing else is needed. Functions whose
// arguments are on the stack find them.
double value = 7.5, sine, cosine;
int part;
long double whole;

NOINLINE static void writer(void) {
  sincos(0, &sine, &cosine);
  if (sine != 0 || cosine != 1) abort();
  if (frexpl(value, &part) != 0.9375L || part != 3) abort();
  if (modfl(value, &whole) != 0.5L || whole != 7) abort();
  if (remquo(value, 2, &part) != -0.5 || part != 4) abort();
  // Of what is not a number there is no quotient.
  CONSUME(remquo(NAN, 2, &part));
}
NOINLINE static void reader(void) { CONSUME(value); }

int main(void) { run_accesses(run_two, writer, reader); }
