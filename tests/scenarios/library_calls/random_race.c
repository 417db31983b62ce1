// expect: data race
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin -D_GNU_SOURCE
// names: #0 initstate_r (, #0 random_r (, #0 srandom_r (, #0 srand48_r (, #0 drand48_r (, #0 lrand48_r (, #0 mrand48_r (, #0 erand48_r (, #0 nrand48_r (, #0 jrand48_r (, #0 erand48 (, #0 nrand48 (, #0 jrand48 (
// reports: any
// tsan: skip, it does not know all of the functions
#include <stdint.h>

#include "scenario.h"

// Random numbers whose state is the program's.
struct random_data other;
struct random_data a0;
char a1[64];
struct random_data a2;
int32_t a3;
struct random_data a4;
struct drand48_data a5;
double a6;
struct drand48_data a7;
struct drand48_data a8;
unsigned short a9[3];
unsigned short a10[3];
unsigned short a11[3];
unsigned short a12[3];
unsigned short a13[3];
unsigned short a14[3];

NOINLINE static void writer(void) {
  CONSUME(a0); // here
  CONSUME(a1[63]); // here
  CONSUME(a2); // here
  CONSUME(a3); // here
  CONSUME(a4); // here
  CONSUME(a5); // here
  CONSUME(a6); // here
  CONSUME(a7); // here
  CONSUME(a8); // here
  CONSUME(a9[2]); // here
  CONSUME(a10[2]); // here
  CONSUME(a11[2]); // here
  CONSUME(a12[2]); // here
  CONSUME(a13[2]); // here
  CONSUME(a14[2]); // here
}
NOINLINE static void reader(void) {
  initstate_r(1, (char[32]){0}, 32, &a0); // here
  initstate_r(1, a1, 64, &(struct random_data){0}); // here
  random_r(&a2, &(int32_t){0}); // here
  random_r(&other, &a3); // here
  srandom_r(2, &a4); // here
  srand48_r(1, &a5); // here
  drand48_r(&(struct drand48_data){0}, &a6); // here
  lrand48_r(&a7, &(long){0}); // here
  mrand48_r(&a8, &(long){0}); // here
  erand48_r(a9, &(struct drand48_data){0}, &(double){0}); // here
  nrand48_r(a10, &(struct drand48_data){0}, &(long){0}); // here
  jrand48_r(a11, &(struct drand48_data){0}, &(long){0}); // here
  CONSUME(erand48(a12)); // here
  CONSUME(nrand48(a13)); // here
  CONSUME(jrand48(a14)); // here
}

int main(void) {
  static char numbers[3][32];
  initstate_r(1, numbers[0], 32, &a2);
  initstate_r(1, numbers[1], 32, &a4);
  initstate_r(1, numbers[2], 32, &other);
  run_accesses(run_two, writer, reader);
}
