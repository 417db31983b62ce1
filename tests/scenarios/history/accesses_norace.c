// expect: none
// opt: O0 O2
// timeout: 120
#include "scenario.h"

int shared;
volatile char others[1 << 16];

NOINLINE static void first(void) {
  shared = 1;
  for (int i = 0; i < 10000000; ++i) others[(i * 8) & 0xffff] = (char)i;
}
NOINLINE static void second(void) {
  shared = 2;
  others[8] = 3;
}

int main(void) { run_joined(first, second); }
