// expect: data race
// names: value
#include <mutex>

#include "scenario.h"

std::once_flag once;
int value;

NOINLINE static void first() {
  try {
    std::call_once(once, [] { throw 1; });
  } catch (int) {
  }
  value = 1; // here
}
NOINLINE static void second() {
  std::call_once(once, [] { value += 1; }); // here
}

int main() { run_two(first, second); }
