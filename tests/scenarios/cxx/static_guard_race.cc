// expect: data race
// names: object
#include "scenario.h"

// The guard orders the initialisation, not what is done with the object later.
struct expensive {
  int value = make();
  NOINLINE static int make() { return 7; }
};

NOINLINE static expensive &instance() {
  static expensive object;
  return object;
}
NOINLINE static void first() {
  instance().value = 8; // here
}
NOINLINE static void second() {
  CONSUME(instance().value); // here
}

int main() { run_two(first, second); }
