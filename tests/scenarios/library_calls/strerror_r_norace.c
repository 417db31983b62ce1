// expect: none
// also: c++
#include "scenario.h"

NOINLINE static void describe(void) {
  char text[100];
  CONSUME(strerror_r(-1, text, sizeof text));
}

int main(void) { run_two(describe, describe); }
