// expect: data race
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin -D_GNU_SOURCE -lm
// names: #0 frexpf (, #0 frexpl (, #0 modff (, #0 modfl (, #0 sincos (, #0 sincosf (, #0 sincosl (, #0 remquo (, #0 remquof (, #0 lgamma_r (, #0 lgammaf_r (, #0 lgammal_r (, #0 remquol (
// reports: any
// tsan: skip, it does not know all of the functions
#include <math.h>

#include "scenario.h"

// Functions that return a part of their result through a pointer.
static const volatile double value = 7.5;
int a0;
int a1;
float a2;
long double a3;
double a4, a5;
float a6, a7;
long double a8, a9;
int a10;
int a11;
int a12;
int a13;
int a14;
int a15;

NOINLINE static void writer(void) {
  CONSUME(a0); // here
  CONSUME(a1); // here
  CONSUME(a2); // here
  CONSUME(a3); // here
  CONSUME(a5); // here
  CONSUME(a7); // here
  CONSUME(a9); // here
  CONSUME(a10); // here
  CONSUME(a11); // here
  CONSUME(a12); // here
  CONSUME(a13); // here
  CONSUME(a14); // here
  CONSUME(a15); // here
}
NOINLINE static void reader(void) {
  CONSUME(frexpf(value, &a0)); // here
  CONSUME(frexpl(value, &a1)); // here
  CONSUME(modff(value, &a2)); // here
  CONSUME(modfl(value, &a3)); // here
  sincos(value, &a4, &a5); // here
  sincosf(value, &a6, &a7); // here
  sincosl(value, &a8, &a9); // here
  CONSUME(remquo(value, 3, &a10)); // here
  CONSUME(remquof(value, 3, &a11)); // here
  CONSUME(lgamma_r(value, &a12)); // here
  CONSUME(lgammaf_r(value, &a13)); // here
  CONSUME(lgammal_r(value, &a14)); // here
  CONSUME(remquol(value, 3, &a15)); // here
}

int main(void) {
  int part;
  long double whole, sine, cosine;
  if (frexpl(value, &part) != 0.9375L || part != 3) abort();
  if (modfl(value, &whole) != 0.5L || whole != 7) abort();
  sincosl(0, &sine, &cosine);
  if (sine != 0 || cosine != 1) abort();
  run_accesses(run_two, writer, reader);
}
