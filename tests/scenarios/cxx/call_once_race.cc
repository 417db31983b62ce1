// expect: data race
// names: value
#include <mutex>

#include "scenario.h"

std::once_flag once;
int value;

NOINLINE static void first() {
  std::call_once(once, [] { value = 1; });
  value = 2; // here
}
NOINLINE static void second() {
  std::call_once(once, [] { value = 1; });
  CONSUME(value); // here
}

int main() { run_two(first, second); }
