// expect: none
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin -D_GNU_SOURCE -lm
#include <math.h>

#include "scenario.h"

// Functions that return a part of their result through a pointer.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
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

NOINLINE static void writer(void) {
  pthread_mutex_lock(&mutex);
  CONSUME(a0);
  CONSUME(a1);
  CONSUME(a2);
  CONSUME(a3);
  CONSUME(a5);
  CONSUME(a7);
  CONSUME(a9);
  CONSUME(a10);
  CONSUME(a11);
  CONSUME(a12);
  CONSUME(a13);
  CONSUME(a14);
  pthread_mutex_unlock(&mutex);
}
NOINLINE static void reader(void) {
  pthread_mutex_lock(&mutex);
  CONSUME(frexpf(value, &a0));
  CONSUME(frexpl(value, &a1));
  CONSUME(modff(value, &a2));
  CONSUME(modfl(value, &a3));
  sincos(value, &a4, &a5);
  sincosf(value, &a6, &a7);
  sincosl(value, &a8, &a9);
  CONSUME(remquo(value, 3, &a10));
  CONSUME(remquof(value, 3, &a11));
  CONSUME(lgamma_r(value, &a12));
  CONSUME(lgammaf_r(value, &a13));
  CONSUME(lgammal_r(value, &a14));
  pthread_mutex_unlock(&mutex);
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
