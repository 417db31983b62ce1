// expect: none
// Who tries again is ordered after whoever gave up.
#include "scenario.h"

int value;

struct Made {
  Made() {
    value += 1;
    if (value == 1) throw 1;
  }
};

NOINLINE static void get() {
  try {
    static Made made;
    CONSUME(value);
  } catch (int) {
  }
}

int main() { run_two(get, get); }
