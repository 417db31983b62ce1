// expect: data race
// names: shared, after_catch
#include <stdexcept>

#include "scenario.h"

// Frames left by an exception must not show up in the stack of a later access.
int shared;

NOINLINE static void thrower(int depth) {
  if (depth == 0) throw std::runtime_error("leave");
  thrower(depth - 1);
  CONSUME(depth);
}
NOINLINE static void after_catch() {
  shared = 1; // here
}
NOINLINE static void first() {
  for (int i = 0; i < 100; ++i) {
    try {
      thrower(20);
    } catch (const std::exception &) {
      CONSUME(i);
    }
  }
  after_catch();
}
NOINLINE static void second() {
  shared = 2; // here
}

int main() { run_two(first, second); }
