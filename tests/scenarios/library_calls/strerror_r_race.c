// expect: data race
// also: c++
// names: text
#include "scenario.h"

// A number that nobody knows is described in the caller's buffer.
char text[100];

NOINLINE static void describe(void) {
  strerror_r(-1, text, sizeof text); // here
}

int main(void) { run_two(describe, describe); }
