// expect: none
// tsan: skip, the annotations header is not among its own
// also: c++
// One line of code, ignored in the second of two rounds.
#include "racert/annotations.h"
#include "scenario.h"

int first_half[64], second_half[64];

NOINLINE static void fill(int *from) {
  for (int i = 0; i < 64; ++i) {
    from[i] = 1;
    __asm__ volatile("" : : : "memory");
  }
}
NOINLINE static void writer(void) {
  for (int round = 0; round < 2; ++round) {
    if (round) ANNOTATE_IGNORE_WRITES_BEGIN();
    fill(round ? second_half : first_half);
    if (round) ANNOTATE_IGNORE_WRITES_END();
  }
}
NOINLINE static void reader(void) {
  for (int i = 0; i < 64; ++i) CONSUME(second_half[i]);
}

int main(void) { run_two(writer, reader); }
