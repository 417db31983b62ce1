// expect: none
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin -D_GNU_SOURCE
#include <stdint.h>

#include "scenario.h"

// Random numbers whose state is the program's.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
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
  pthread_mutex_lock(&mutex);
  CONSUME(a0);
  CONSUME(a1[63]);
  CONSUME(a2);
  CONSUME(a3);
  CONSUME(a4);
  CONSUME(a5);
  CONSUME(a6);
  CONSUME(a7);
  CONSUME(a8);
  CONSUME(a9[2]);
  CONSUME(a10[2]);
  CONSUME(a11[2]);
  CONSUME(a12[2]);
  CONSUME(a13[2]);
  CONSUME(a14[2]);
  pthread_mutex_unlock(&mutex);
}
NOINLINE static void reader(void) {
  pthread_mutex_lock(&mutex);
  initstate_r(1, (char[32]){0}, 32, &a0);
  initstate_r(1, a1, 64, &(struct random_data){0});
  random_r(&a2, &(int32_t){0});
  random_r(&other, &a3);
  srandom_r(2, &a4);
  srand48_r(1, &a5);
  drand48_r(&(struct drand48_data){0}, &a6);
  lrand48_r(&a7, &(long){0});
  mrand48_r(&a8, &(long){0});
  erand48_r(a9, &(struct drand48_data){0}, &(double){0});
  nrand48_r(a10, &(struct drand48_data){0}, &(long){0});
  jrand48_r(a11, &(struct drand48_data){0}, &(long){0});
  CONSUME(erand48(a12));
  CONSUME(nrand48(a13));
  CONSUME(jrand48(a14));
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  static char numbers[3][32];
  initstate_r(1, numbers[0], 32, &a2);
  initstate_r(1, numbers[1], 32, &a4);
  initstate_r(1, numbers[2], 32, &other);
  run_accesses(run_two, writer, reader);
}
