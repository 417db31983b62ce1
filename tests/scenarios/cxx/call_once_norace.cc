// expect: none
// orders: first-second second-first
#include <mutex>

#include "scenario.h"

std::once_flag once;
int value;

NOINLINE static void first() {
  std::call_once(once, [] { value = 1; });
  CONSUME(value);
}
NOINLINE static void second() {
  std::call_once(once, [] { value = 1; });
  CONSUME(value);
}

int main() { run_ordered(first, second); }
