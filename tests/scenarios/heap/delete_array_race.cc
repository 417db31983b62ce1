// expect: data race with free
// reports: any
#include "scenario.h"

long *shared;

NOINLINE static void use() {
  CONSUME(shared[90]); // here
}
NOINLINE static void release() {
  delete[] shared; // here
}

int main() {
  shared = new long[100]();
  run_two(use, release);
}
