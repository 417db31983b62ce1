// expect: data race
// names: value
#include "scenario.h"

int value;

struct Made {
  Made(bool fails) {
    if (fails) throw 1;
    value += 1; // here
  }
};

NOINLINE static void get(bool fails) { static Made made(fails); }

NOINLINE static void first() {
  try {
    get(true);
  } catch (int) {
  }
  value = 1; // here
}
NOINLINE static void second() { get(false); }

int main() { run_two(first, second); }
