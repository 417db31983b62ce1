// expect: none
// orders: first-second second-first
#include "scenario.h"

struct expensive {
  int value = make();
  NOINLINE static int make() { return 7; }
};

NOINLINE static expensive &instance() {
  static expensive object;
  return object;
}
NOINLINE static void first() { CONSUME(instance().value); }
NOINLINE static void second() { CONSUME(instance().value); }

int main() { run_ordered(first, second); }
