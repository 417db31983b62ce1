// expect: none
// also: c++
#include "scenario.h"

#include <semaphore.h>
#include <stdint.h>
#include <string.h>

// Several parts of a word, read by two threads; the places that read them have
// read another word before. None of the reads may get lost.
uint8_t shared[16] __attribute__((aligned(8)));
sem_t done;

NOINLINE static void read_one(const uint8_t *at) { CONSUME(*at); }

NOINLINE static void read_two(const uint8_t *at) {
  uint16_t both;
  memcpy(&both, at, sizeof both);
  CONSUME(both);
}

NOINLINE static void write_four(uint8_t *at) {
  uint32_t four = 1;
  memcpy(at, &four, sizeof four);
}

NOINLINE static void read_all(void) {
  static const volatile int bytes[] = {9, 4, 1};
#pragma clang loop unroll(disable)
  for (int i = 0; i < 3; ++i) {
    if (i == 1) read_two(&shared[bytes[i]]);
    else read_one(&shared[bytes[i]]);
  }
}

static void *first(void *unused) {
  wait_for_step(0);
  read_two(&shared[2]);
  take_step();
  wait_for_step(2);
  read_all();
  sem_post(&done);
  take_step();
  return unused;
}

static void *second(void *unused) {
  wait_for_step(1);
  read_one(&shared[0]);
  take_step();
  wait_for_step(3);
  sem_wait(&done);
  write_four(&shared[4]);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  sem_init(&done, 0, 0);
  pthread_create(&threads[0], NULL, first, NULL);
  pthread_create(&threads[1], NULL, second, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
}
