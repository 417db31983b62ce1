// expect: none
// Who tries again is ordered after whoever gave up.
#include <mutex>

#include "scenario.h"

std::once_flag once;
int value;

NOINLINE static void first() {
  try {
    std::call_once(once, [] {
      value = 1;
      throw 1;
    });
  } catch (int) {
  }
}
NOINLINE static void second() {
  std::call_once(once, [] { value += 1; });
  CONSUME(value);
}

int main() { run_two(first, second); }
