// expect: none
#include "scenario.h"

long *shared;

NOINLINE static void use() { CONSUME(shared[90]); }
NOINLINE static void release() { delete[] shared; }

int main() {
  shared = new long[100]();
  run_joined(use, release);
}
